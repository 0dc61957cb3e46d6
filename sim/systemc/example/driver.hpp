// A small driver: load a program, start it, wait for its interrupt, check how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/systemc/example/host.hpp"
#include "sim/systemc/example/program.hpp"

namespace tandem::example {

// Host registers, by byte address (docs/registers.md).
namespace reg {
#define REGISTER(name, number, host, readable, kind, meaning) \
  inline constexpr std::uint64_t name = 4 * (number);
#include "isa/registers/registers.def"
#undef REGISTER
}  // namespace reg

// Their bits: bit::status_running.
namespace bit {
#define REGISTER_BIT(register_name, name, bit, meaning) \
  inline constexpr std::uint32_t register_name##_##name = 1U << (bit);
#include "isa/registers/register_bits.def"
#undef REGISTER_BIT
}  // namespace bit

enum class Element : std::uint32_t {  // codes of the argument block
#define ELEMENT(name, code, bytes, numpy, meaning) name = (code),
#include "isa/elements.def"
#undef ELEMENT
};

// A tensor that the host has placed in memory: rows without padding.
struct Argument {
  std::uint64_t address = 0;  // a multiple of 4096
  Element type = Element::f32;
  std::vector<std::uint32_t> dimensions;  // at most 8
};

// The contents at the argument pointer (docs/reference.md, section 6).
std::vector<std::uint32_t> argument_block(const std::vector<Argument>& arguments);

// How a run ended.
struct Ending {
  std::uint32_t status = 0;
  std::uint32_t trap_cause = 0;
  std::uint64_t cycles = 0;
};

class Driver {
 public:
  // The machine number `machine` of the host, with its registers at `base`.
  Driver(Host& host, std::size_t machine, std::uint64_t base, std::uint64_t memory_bytes)
      : host_(host), machine_(machine), base_(base), memory_bytes_(memory_bytes) {}

  // Puts a program at an address (a multiple of 4096) and its argument block after it; programs
  // with data at fixed addresses only go where they were linked. Then points the machine at it.
  void load(const Program& program, std::uint64_t address, const std::vector<Argument>& arguments);
  void start();
  // Waits for the interrupt of the end, clears it.
  Ending wait();

  std::uint32_t read(std::uint64_t offset) { return host_.read_word(base_ + offset); }
  void write(std::uint64_t offset, std::uint32_t value) { host_.write_word(base_ + offset, value); }

 private:
  void write_pair(std::uint64_t offset, std::uint64_t value);

  Host& host_;
  std::size_t machine_;
  std::uint64_t base_;
  std::uint64_t memory_bytes_;
};

}  // namespace tandem::example
