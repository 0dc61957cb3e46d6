// Compiled programs in a folder, shared by all processes of a user.
//
// One file a program: it contains its source, which is compared; a digest detects a truncated or
// altered file, which counts as absent. A file appears under its name only when complete. When the
// entries take too much space, the least recently used are removed. Files that are not entries by
// name, beginning and owner are never touched, so the folder may hold other things. A digest proves
// nothing about who wrote an entry, so those of other users (but root) do not count. Nothing here
// is an error to the user: without a cache the compiler runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::pjrt {

class CompileCache {
 public:
  // "" is the user's cache folder; 0 bytes: no cache.
  CompileCache(const std::string& folder, std::uint64_t most_bytes);

  // The ELF file that was kept for exactly this key.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> find(std::string_view key) const;
  void keep(std::string_view key, const std::vector<std::uint8_t>& elf) const;

 private:
  [[nodiscard]] std::string path_of(std::string_view key) const;
  void remove_oldest() const;

  std::string folder_;
  std::uint64_t most_bytes_;
};

}  // namespace tandem::pjrt
