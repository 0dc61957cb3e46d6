// A small driver: load a program, start it, wait for its interrupt, see how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/systemc/example/host.hpp"
#include "sim/systemc/example/program.hpp"

namespace tandem::example {

// Host registers, by byte address (docs/registers.md).
namespace reg {
inline constexpr std::uint64_t id = 0x000;
inline constexpr std::uint64_t control = 0x008;
inline constexpr std::uint64_t status = 0x00c;
inline constexpr std::uint64_t interrupt_enable = 0x010;
inline constexpr std::uint64_t interrupt_pending = 0x014;
inline constexpr std::uint64_t text_lo = 0x018;
inline constexpr std::uint64_t text_bundles = 0x020;
inline constexpr std::uint64_t entry_pc = 0x024;
inline constexpr std::uint64_t arg_lo = 0x028;
inline constexpr std::uint64_t hbm_lo = 0x030;
inline constexpr std::uint64_t trap_cause = 0x038;
inline constexpr std::uint64_t cycles_lo = 0x080;
inline constexpr std::uint64_t cycles_hi = 0x084;
}  // namespace reg

namespace bit {
inline constexpr std::uint32_t start = 1;  // of control
inline constexpr std::uint32_t stop = 2;
inline constexpr std::uint32_t running = 1;  // of status
inline constexpr std::uint32_t halted = 2;
inline constexpr std::uint32_t trapped = 4;
inline constexpr std::uint32_t machine_check = 8;
inline constexpr std::uint32_t start_error = 16;
inline constexpr std::uint32_t halt_interrupt = 1;  // of interrupt_enable and interrupt_pending
inline constexpr std::uint32_t trap_interrupt = 2;
}  // namespace bit

enum class Element : std::uint32_t { f32, bf16, s32, s8 };  // codes of the argument block

// A tensor that the host has placed in memory: rows without padding.
struct Argument {
  std::uint64_t address = 0;  // a multiple of 4096
  Element type = Element::f32;
  std::vector<std::uint32_t> dimensions;  // at most 4
};

// What lies at the argument pointer (docs/reference.md, section 6).
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

  // Puts a program at an address (a multiple of 4096) and its argument block behind it; programs
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
