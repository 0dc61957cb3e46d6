// The effects of one operation besides its arithmetic: registers read and written, the effects that
// are implicit in its operands (both weight buffers, the accumulator under `add`, memories, flags,
// time), and its control flow. Derived from the instruction table, so that schedulers, generators
// and debuggers need no list of instructions of their own; if the table does not distinguish two
// effects, the stronger is assumed.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/encoding.hpp"

namespace tandem {

// The register files of a program; the first four have the values of RegisterFile.
enum class File : std::uint8_t { s, p, m, v, a };
inline constexpr std::size_t file_count = 5;

std::uint32_t register_count(File file);
char file_letter(File file);
// Whether a register is a constant: s0, p0, m0.
constexpr bool is_constant_register(File file, std::uint32_t index) {
  return index == 0 && (file == File::s || file == File::p || file == File::m);
}

// The place of the predicate among the operands.
inline constexpr std::uint8_t predicate_place = max_operands;

// A register that an operation names, and which operand names it.
struct RegisterUse {
  File file = File::s;
  std::uint8_t index = 0;
  std::uint8_t place = 0;  // index of the operand, or predicate_place
};

enum class LocalMemory : std::uint8_t { none, vmem, smem };

// Rows or words of an on-chip memory that an operation touches.
struct MemoryUse {
  LocalMemory space = LocalMemory::none;
  bool writes = false;
  std::uint8_t place = 0;    // the operand with the address
  bool extent_known = true;  // `units` and `stride` are valid; else anything may be touched
  bool in_words = false;     // the address counts words of VMEM, not rows
  std::int32_t offset = 0;   // added to the scalar
  std::int32_t units = 1;    // rows or words, starting at the address
  std::int32_t stride = 1;   // distance between them
};

enum class Control : std::uint8_t {
  none,
  branch,  // continues at a target when it is done
  call,    // the same, and returns
  jump,    // continues at the address in a register
  ret,     // the same, from a call
  halt,
  trap,
  idle,     // waits
  marker,   // exposes its issue time
  unknown,  // of the control group, and of no kind above
};
// Continues at the address in a register.
constexpr bool leaves(Control control) {
  return control == Control::jump || control == Control::ret;
}
// Continues elsewhere than in the next bundle, or not at all.
constexpr bool ends_block(Control control) {
  return control == Control::branch || control == Control::call || leaves(control) ||
         control == Control::halt;
}
// A barrier (timing, or the end of the program) that nothing may move across.
constexpr bool is_barrier(Control control) {
  return control == Control::trap || control == Control::idle || control == Control::marker ||
         control == Control::unknown;
}

// The effect of an operation of the dma slot on its flag; a copy adds to the flag of its
// descriptor.
enum class FlagUse : std::uint8_t { none, copy, wait, add, set };

struct Effects {
  std::array<RegisterUse, max_operands + 2> read_list{};
  std::uint8_t read_count = 0;
  bool writes = false;
  RegisterUse write;       // of s, p, m, v or a; meaningful with `writes`
  bool keeps_old = false;  // the written register keeps part of its old value (apart from `@`)
  bool any_accumulator_read = false;  // an index in a register
  bool any_accumulator_write = false;
  bool pushes = false;      // writes the filling weights
  bool transposes = false;  // with `pushes`: columns
  bool swaps = false;       // filling weights become active, the released buffer zero
  bool multiplies = false;  // reads the active weights
  MemoryUse memory;
  FlagUse flag = FlagUse::none;
  bool reads_time = false;  // its result depends on when it issues
  Control control = Control::none;
  Latency latency = Latency::scalar;

  [[nodiscard]] std::span<const RegisterUse> reads() const {
    return {read_list.data(), read_count};
  }
  [[nodiscard]] bool copies() const { return flag == FlagUse::copy; }
  [[nodiscard]] bool waits() const { return flag == FlagUse::wait; }
  // Reads or changes flags; also every copy.
  [[nodiscard]] bool uses_flags() const { return flag != FlagUse::none; }
  // Writes an accumulator, even if its index is in a register.
  [[nodiscard]] bool writes_accumulator() const {
    return any_accumulator_write || (writes && write.file == File::a);
  }
};

// Constant registers are omitted: nothing waits for them or is kept in them.
Effects effects_of(const Operation& operation);

}  // namespace tandem
