#include "python/pjrt/programs/compile_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "python/pjrt/core/digest.hpp"
#include "python/pjrt/core/files.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

namespace fs = std::filesystem;

// A file is this, followed by the key and the ELF.
struct Header {
  char magic[8] = {'T', 'N', 'D', 'M', 'C', 'C', '0', '1'};
  std::uint64_t key_bytes = 0;
  std::uint64_t elf_bytes = 0;
  std::uint64_t checksum = 0;  // of key and ELF
};

std::uint64_t checksum(std::string_view key, std::string_view elf) {
  return fnv1a(elf, fnv1a(key));
}

std::string user_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != 0) return std::string(cache) + "/tandem/programs";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home != 0 ? std::string(home) + "/.cache/tandem/programs" : "";
}

struct Entry {
  fs::path path;
  std::uint64_t bytes;
  fs::file_time_type used;
};

std::vector<Entry> entries_of(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    Entry entry{file.path(), file.file_size(error), {}};
    if (!error) entry.used = file.last_write_time(error);
    if (!error) entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

CompileCache::CompileCache(std::string folder, std::uint64_t most_bytes)
    : folder_(folder.empty() ? user_folder() : std::move(folder)), most_bytes_(most_bytes) {
  if (folder_.empty()) most_bytes_ = 0;
}

std::optional<std::vector<std::uint8_t>> CompileCache::find(std::string_view key) const {
  if (most_bytes_ == 0) return std::nullopt;
  const std::string path = path_of(key);
  const std::optional<std::string> file = read_file(path);
  Header header;
  const Header wanted;
  if (!file || file->size() < sizeof(Header)) return std::nullopt;
  std::memcpy(&header, file->data(), sizeof(Header));
  const std::string_view rest = std::string_view(*file).substr(sizeof(Header));
  const bool whole = std::memcmp(header.magic, wanted.magic, sizeof(header.magic)) == 0 &&
                     header.key_bytes == key.size() && rest.size() >= key.size() &&
                     header.elf_bytes == rest.size() - key.size();
  if (!whole || rest.substr(0, key.size()) != key) return std::nullopt;
  const std::string_view elf = rest.substr(key.size());
  if (checksum(key, elf) != header.checksum) return std::nullopt;
  std::error_code error;
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);  // used now
  return std::vector<std::uint8_t>(elf.begin(), elf.end());
}

void CompileCache::keep(std::string_view key, const std::vector<std::uint8_t>& elf) const {
  if (most_bytes_ == 0) return;
  static std::atomic<std::uint64_t> serial{0};
  const std::string unfinished = fmt::format("{}/.{}-{}", folder_, getpid(), serial++);
  const std::string_view bytes(reinterpret_cast<const char*>(elf.data()), elf.size());
  Header header;
  header.key_bytes = key.size();
  header.elf_bytes = elf.size();
  header.checksum = checksum(key, bytes);
  std::error_code error;
  fs::create_directories(folder_, error);
  try {
    write_file(unfinished, {{reinterpret_cast<const char*>(&header), sizeof(header)}, key, bytes});
    fs::rename(unfinished, path_of(key), error);
  } catch (const Failure&) {
    error = std::make_error_code(std::errc::io_error);
  }
  if (error) fs::remove(unfinished, error);
  remove_oldest();
}

std::string CompileCache::path_of(std::string_view key) const {
  return fmt::format("{}/{:016x}{:016x}", folder_, fnv1a(key), fnv1a(key, key.size()));
}

void CompileCache::remove_oldest() const {
  std::vector<Entry> entries = entries_of(folder_);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  if (total <= most_bytes_) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  std::error_code error;
  for (const Entry& entry : entries) {
    if (total <= most_bytes_) return;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}

}  // namespace tandem::pjrt
