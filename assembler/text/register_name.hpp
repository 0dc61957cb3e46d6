// Register names as written in the text: s10, v3.lo, a5, f31.
#pragma once

#include <cstdint>
#include <string_view>

namespace tandem::assembly {

struct NamedRegister {
  char file = 0;            // one of s p v m a f
  std::uint32_t index = 0;  // may be beyond the file: see in_range
  std::string_view suffix;  // "lo" of v3.lo, else empty
  bool is_virtual = false;  // `index` is then that of the block's virtual register
  [[nodiscard]] bool in_range() const;
};

// Number of registers of a file: 32 for 's'; 0 for a letter that is not a register file.
std::uint32_t register_count(char file);
// Whether `text` has the form of a register name (a letter of a file, then digits, then perhaps a
// suffix). Such names are never symbols.
bool read_register(std::string_view text, NamedRegister& result);

}  // namespace tandem::assembly
