#include "python/pjrt/programs/compile_cache.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "python/pjrt/core/files.hpp"

namespace tandem::pjrt {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

TEST_CASE("A cache gives back what it was given, and nothing else") {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path() + "/new/folder", 1 << 20);
  CHECK_FALSE(cache.find("a").has_value());
  cache.keep("a", {1, 2, 3});
  cache.keep("b", {});
  CHECK(cache.find("a") == Bytes{1, 2, 3});
  CHECK(cache.find("b") == Bytes{});
  CHECK_FALSE(cache.find("ab").has_value());
  const CompileCache other(folder.path() + "/new/folder", 1 << 20);
  CHECK(other.find("a") == Bytes{1, 2, 3});
}

TEST_CASE("A file that is cut off, altered or foreign counts as absent, and is replaced") {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path(), 1 << 20);
  cache.keep("key", Bytes(100, 7));
  const fs::path file = files_in(folder.path()).at(0);
  const auto size = fs::file_size(file);
  SECTION("cut off") {
    for (std::uintmax_t length = 0; length < size; ++length) {
      fs::resize_file(file, size - 1 - length);
      CHECK_FALSE(cache.find("key").has_value());
    }
  }
  SECTION("altered") {
    for (std::uintmax_t at = 0; at < size; ++at) {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(at));
      const char before = static_cast<char>(stream.get());
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(static_cast<char>(before ^ 1));
      stream.flush();
      CHECK_FALSE(cache.find("key").has_value());
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(before);
    }
    CHECK(cache.find("key").has_value());
  }
  SECTION("another program under the same name") {
    const CompileCache elsewhere(folder.path() + "/other", 1 << 20);
    elsewhere.keep("yek", Bytes(100, 8));
    fs::rename(files_in(folder.path() + "/other").at(0), file);
    CHECK_FALSE(cache.find("key").has_value());
  }
  cache.keep("key", Bytes(100, 9));
  CHECK(cache.find("key") == Bytes(100, 9));
}

TEST_CASE("What was used longest ago goes when the folder is full") {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path(), 2500);
  cache.keep("one", Bytes(1000));
  cache.keep("two", Bytes(1000));
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const fs::path& file : files_in(folder.path())) fs::last_write_time(file, long_ago);
  CHECK(cache.find("one").has_value());  // used now
  cache.keep("three", Bytes(1000));
  CHECK(cache.find("one").has_value());
  CHECK_FALSE(cache.find("two").has_value());
  CHECK(cache.find("three").has_value());
}

TEST_CASE("A cache of no bytes, or in a folder that cannot be, keeps nothing and says nothing") {
  const TemporaryFolder folder;
  const CompileCache none(folder.path(), 0);
  none.keep("key", {1});
  CHECK(files_in(folder.path()).empty());
  write_file(folder.path() + "/file", {"text"});
  const CompileCache impossible(folder.path() + "/file/cache", 1 << 20);
  impossible.keep("key", {1});
  CHECK_FALSE(impossible.find("key").has_value());
}

TEST_CASE("Threads that keep and find the same programs never see half of one") {
  const TemporaryFolder folder;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&folder, &wrong] {
      const CompileCache cache(folder.path(), 20'000);
      for (int i = 0; i < 100; ++i) {
        const std::uint8_t number = i % 5;
        cache.keep("key" + std::to_string(number), Bytes(5000, number));
        const auto found = cache.find("key" + std::to_string(number));
        if (found && *found != Bytes(5000, number)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  for (const fs::path& file : files_in(folder.path())) CHECK(file.filename().string()[0] != '.');
}

}  // namespace
}  // namespace tandem::pjrt
