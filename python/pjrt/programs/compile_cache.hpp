// Compiled programs in a folder, shared by all processes of a user.
//
// One file a program: what was compiled stands in it and is compared, so that names need not be
// unique; a checksum tells a file that was cut off or altered, which counts as absent. A file
// appears under its name complete, by renaming. When the folder holds too much, what was used
// longest ago goes. Nothing here is an error to the user: without a cache the compiler runs.
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
  CompileCache(std::string folder, std::uint64_t most_bytes);

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
