// A program as a driver needs it, from an ELF file of `tandem asm`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::example {

struct Segment {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
};

struct Program {
  Segment text;
  std::uint32_t entry_pc = 0;  // bundle
  std::vector<Segment> data;   // at fixed addresses
};

// Throws std::runtime_error; the second one with the name of the file.
Program parse_program(const std::vector<char>& elf);
Program read_program(const std::string& path);

inline constexpr std::uint32_t bytes_of_bundle = 64;

}  // namespace tandem::example
