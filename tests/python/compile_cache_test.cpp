#include "python/pjrt/programs/compile_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "python/pjrt/core/files.hpp"
#include "tests/python/temporary_folder.hpp"

namespace tandem::pjrt {
namespace {

namespace fs = std::filesystem;
using pjrt_test::TemporaryFolder;
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

// Existing files are unchanged afterwards, byte for byte.
std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_CASE("Nothing but entries is ever removed from the folder") {
  const TemporaryFolder folder;
  const auto path = [&](const std::string& name) { return folder.path() + "/" + name; };
  const std::string digits(64, 'a');
  const std::vector<std::string> foreign{"backup.tar", ".hidden", digits, digits + "b",
                                         ".unfinished-abcdef"};
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(10'000);
  for (const std::string& name : foreign) {
    write_file(path(name), {std::string(5000, 'x')});
    fs::last_write_time(path(name), long_ago);
  }
  write_file(path("program"), {"TNDMCC02 by another name"});
  fs::create_directory(path("below"));
  const CompileCache cache(folder.path(), 2500);
  for (const char* key : {"one", "two", "three", "four"}) cache.keep(key, Bytes(1000));
  CHECK(cache.find("four").has_value());
  for (const std::string& name : foreign) CHECK(content_of(path(name)) == std::string(5000, 'x'));
  CHECK(fs::exists(path("program")));
  CHECK(fs::exists(path("below")));
}

TEST_CASE("Entries of earlier versions, and what ended writers left, make room") {
  const TemporaryFolder folder;
  const std::string old = folder.path() + "/" + std::string(32, '0');
  const std::string left = folder.path() + "/.unfinished-abcdef";
  for (const std::string& path : {old, left}) {
    write_file(path, {"TNDMCC01", std::string(2000, 'x')});
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  const CompileCache cache(folder.path(), 2500);
  cache.keep("key", Bytes(1000));
  CHECK(cache.find("key").has_value());
  CHECK_FALSE(fs::exists(old));
  CHECK_FALSE(fs::exists(left));
}

// A program's name in the folder is that of its only file.
std::string name_of_entry(const std::string& key) {
  const TemporaryFolder folder;
  CompileCache(folder.path(), 1 << 20).keep(key, Bytes(10, 7));
  return files_in(folder.path()).at(0).filename();
}

TEST_CASE("What is no file of the user's own counts as absent and stays") {
  const TemporaryFolder folder;
  const std::string elsewhere = folder.path() + "/elsewhere";
  CompileCache(elsewhere, 1 << 20).keep("key", Bytes(10, 7));
  const fs::path real = files_in(elsewhere).at(0);
  const std::string before = content_of(real);
  const std::string place = folder.path() + "/cache";
  fs::create_directory(place);
  const fs::path entry = fs::path(place) / name_of_entry("key");
  const CompileCache cache(place, 1 << 20);
  SECTION("a link to an entry") { fs::create_symlink(real, entry); }
  SECTION("a link to a device that never ends") { fs::create_symlink("/dev/zero", entry); }
  SECTION("a pipe") { REQUIRE(mkfifo(entry.c_str(), 0600) == 0); }
  SECTION("a folder") { fs::create_directory(entry); }
  const fs::file_type type = fs::symlink_status(entry).type();
  CHECK_FALSE(cache.find("key").has_value());
  cache.keep("key", Bytes(10, 8));
  CHECK(fs::symlink_status(entry).type() == type);
  CHECK(content_of(real) == before);
  CHECK(files_in(place).size() == 1);
}

TEST_CASE("A file of gigabytes in the place of an entry is none, and is not read") {
  const TemporaryFolder folder;
  const CompileCache cache(folder.path(), std::uint64_t{1} << 40U);
  cache.keep("key", Bytes(10, 7));
  const fs::path entry = files_in(folder.path()).at(0);
  const std::string good = content_of(entry);
  SECTION("of zeros") { write_file(entry, {""}); }
  SECTION("that begins as the entry does") {}
  SECTION("that says it is one of so many bytes") {
    std::string changed = good;  // magic, length of the key, length of the program
    changed.replace(16, 8, std::string("\0\0\0\xc0\0\0\0\0", 8));
    write_file(entry, {changed});
  }
  fs::resize_file(entry, std::uint64_t{3} << 30U);  // sparse
  const std::clock_t begin = std::clock();
  CHECK_FALSE(cache.find("key").has_value());
  CHECK(std::clock() - begin < CLOCKS_PER_SEC / 4);
  cache.keep("key", Bytes(10, 8));
  CHECK(cache.find("key") == Bytes(10, 8));
}

TEST_CASE("A file that others may write is no entry, and the user's own are for the user alone") {
  const TemporaryFolder folder;
  const mode_t before = umask(0);
  const CompileCache cache(folder.path() + "/cache", 1 << 20);
  cache.keep("key", Bytes(10, 7));
  umask(before);
  const fs::path entry = files_in(folder.path() + "/cache").at(0);
  CHECK(fs::status(entry).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(fs::status(entry.parent_path()).permissions() == fs::perms::owner_all);
  REQUIRE(cache.find("key").has_value());
  fs::permissions(entry, fs::perms::others_write, fs::perm_options::add);
  CHECK_FALSE(cache.find("key").has_value());
}

TEST_CASE("A relative folder is the one that it was at the start") {
  const TemporaryFolder folder;
  const fs::path start = fs::current_path();
  fs::create_directory(folder.path() + "/first");
  fs::create_directory(folder.path() + "/second");
  fs::current_path(folder.path() + "/first");
  const CompileCache cache("programs", 1 << 20);
  fs::current_path(folder.path() + "/second");
  cache.keep("key", Bytes(10, 7));
  fs::current_path(start);
  CHECK(fs::exists(folder.path() + "/first/programs"));
  CHECK(fs::is_empty(folder.path() + "/second"));
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
