#include "python/pjrt/programs/compile_cache.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "python/pjrt/core/digest.hpp"
#include "python/pjrt/programs/cache_file.hpp"

namespace tandem::pjrt {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view family = "TNDMCC";            // prefix of the entries of all versions
constexpr std::string_view unfinished = ".unfinished-";  // six characters follow
constexpr std::time_t abandoned = 3600;                  // seconds: its writer has ended
constexpr std::uint64_t largest_elf = std::uint64_t{1} << 32U;

// A file is this, followed by the key and the ELF.
struct Header {
  char magic[8] = {'T', 'N', 'D', 'M', 'C', 'C', '0', '2'};
  std::uint64_t key_bytes = 0;
  std::uint64_t elf_bytes = 0;
  Digest digest{};  // of what is before it, and of key and ELF
};

std::string_view bytes_of(const Header& header) {
  return {reinterpret_cast<const char*>(&header), sizeof(header)};
}

Header header_for(std::string_view key, std::string_view elf) {
  Header header;
  header.key_bytes = key.size();
  header.elf_bytes = elf.size();
  header.digest = sha256({bytes_of(header).substr(0, offsetof(Header, digest)), key, elf});
  return header;
}

// Whether the file may be the entry of this key, by its beginning; reading a large file that is not
// an entry would take long.
bool looks_like_entry(const FileState& file, std::string_view key) {
  Header header;
  if (file.beginning.size() != sizeof(header)) return false;
  std::memcpy(&header, file.beginning.data(), sizeof(header));
  return std::memcmp(header.magic, Header{}.magic, sizeof(header.magic)) == 0 &&
         header.key_bytes == key.size() && header.elf_bytes <= largest_elf &&
         file.bytes == sizeof(header) + key.size() + header.elf_bytes;
}

// A relative one would be another folder for each folder that a program runs in.
std::string user_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/tandem/programs";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/tandem/programs" : "";
}

std::string absolute(const std::string& folder) {
  std::error_code error;
  const fs::path path = fs::absolute(folder, error);
  return error ? "" : path.string();
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  (void)::mkdir(folder.c_str(), S_IRWXU);
}

bool is_digits(std::string_view name) {
  return name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

struct Entry {
  std::string path;
  std::uint64_t bytes;
  std::time_t used;
};

// Entries of this and earlier versions, and temporary files of killed writers.
std::vector<Entry> entries_of(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  constexpr std::size_t digits = 2 * sizeof(Digest);
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    const std::string name = file.path().filename();
    const bool is_entry = (name.size() == digits || name.size() == digits / 2) && is_digits(name);
    const bool is_unfinished = name.starts_with(unfinished) && name.size() == unfinished.size() + 6;
    if (!is_entry && !is_unfinished) continue;
    const std::optional<FileState> state = look_at_file(file.path(), family.size());
    if (!state || state->beginning != family) continue;
    if (is_unfinished && std::time(nullptr) - state->used < abandoned) continue;
    entries.push_back({file.path(), state->bytes, is_unfinished ? 0 : state->used});
  }
  return entries;
}

}  // namespace

CompileCache::CompileCache(const std::string& folder, std::uint64_t most_bytes)
    : folder_(folder.empty() ? user_folder() : absolute(folder)), most_bytes_(most_bytes) {
  if (folder_.empty()) most_bytes_ = 0;
}

std::optional<std::vector<std::uint8_t>> CompileCache::find(std::string_view key) const {
  if (most_bytes_ == 0) return std::nullopt;
  const std::optional<FileState> seen = look_at_file(path_of(key), sizeof(Header));
  if (!seen || !looks_like_entry(*seen, key)) return std::nullopt;
  const std::optional<std::string> file =
      use_file(path_of(key), sizeof(Header) + key.size() + largest_elf);
  if (!file || file->size() < sizeof(Header) + key.size()) return std::nullopt;
  const std::string_view elf = std::string_view(*file).substr(sizeof(Header) + key.size());
  const Header wanted = header_for(key, elf);
  if (!file->starts_with(bytes_of(wanted))) return std::nullopt;
  if (std::string_view(*file).substr(sizeof(Header), key.size()) != key) return std::nullopt;
  return std::vector<std::uint8_t>(elf.begin(), elf.end());
}

void CompileCache::keep(std::string_view key, const std::vector<std::uint8_t>& elf) const {
  if (most_bytes_ == 0) return;
  const std::string_view bytes(reinterpret_cast<const char*>(elf.data()), elf.size());
  const Header header = header_for(key, bytes);
  make_folder(folder_);
  (void)put_file(path_of(key), std::string(unfinished), {bytes_of(header), key, bytes});
  remove_oldest();
}

std::string CompileCache::path_of(std::string_view key) const {
  return folder_ + "/" + digits_of(sha256({key}));
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
