// Physical registers for the virtual ones of bundled code.
//
// A register that the code names itself is the author's throughout the block and is given to no
// virtual one; nor are s1 to s3, which the calling convention keeps (docs/reference.md, section 7).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/program/bundled.hpp"
#include "schedule/program/faults.hpp"

namespace tandem::schedule {

enum class TroubleKind : std::uint8_t {
  file_full,             // more values live at once than the file has registers left
  file_fragmented,       // no single register is free wherever this one lives
  lives_across_call,     // a call may overwrite every register
  indexed_accumulators,  // virtual accumulators beside a[...] of any number
};

// Why a block has no schedule.
struct Trouble {
  TroubleKind kind = TroubleKind::file_full;
  VirtualId id = no_virtual;
  std::uint32_t tag = 0;  // of the operation where it shows
  File file = File::s;
  std::uint32_t live = 0;       // values at once, at the worst place
  std::uint32_t available = 0;  // registers that virtual ones may have
};

// Puts numbers in place of all virtual registers, or says why there are none; then `code` is as
// before.
std::vector<Trouble> allocate_registers(Bundled& code, const Faults* faults = nullptr);

// Values live at once at the worst place, by file: what an allocation needs at least.
std::array<std::uint32_t, file_count> pressure_of(const Bundled& code);

}  // namespace tandem::schedule
