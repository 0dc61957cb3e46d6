// Why a program stopped early. Numbers are architectural (CSR trap_cause).
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/instructions.hpp"

namespace tandem {

enum class TrapCause : std::uint8_t {
  none = 0,
  illegal_encoding = 1,  // detail: 0
  write_conflict = 2,    // detail: register file << 8 | index; see docs/reference.md
  address_range = 3,     // detail: the first row, word or index out of range
  jump_range = 4,        // detail: the next PC that is not in the text
  bad_descriptor = 5,    // detail: number of the first offending descriptor word
  deadlock = 6,          // detail: number of the flag
  explicit_trap = 7,     // detail: the code of the trap instruction
  machine_check = 8,     // imprecise; outside lockstep
};

// A trap as every model reports it. `slot` is the slot that caused it.
struct Trap {
  TrapCause cause = TrapCause::none;
  Slot slot = Slot::sa;
  std::uint32_t detail = 0;

  explicit operator bool() const { return cause != TrapCause::none; }
  bool operator==(const Trap&) const = default;
};

std::string_view trap_name(TrapCause cause);

}  // namespace tandem
