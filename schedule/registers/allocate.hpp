// Physical registers for the virtual ones of bundled code.
//
// A register that the code names itself belongs to the author throughout the block and is given to
// no virtual one; nor are s1 to s3, which the calling convention keeps (docs/reference.md, section
// 7).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/program/bundled.hpp"
#include "schedule/program/faults.hpp"

namespace tandem::schedule {

enum class TroubleKind : std::uint8_t {
  file_full,             // more live values than the file has registers left
  file_fragmented,       // no single register is free over this one's whole lifetime
  lives_across_call,     // a call may overwrite every register
  indexed_accumulators,  // virtual accumulators together with a[...] of any number
};

// Why a block has no schedule.
struct Trouble {
  TroubleKind kind = TroubleKind::file_full;
  VirtualId id = no_virtual;
  std::uint32_t tag = 0;  // of the operation where it is noticed
  File file = File::s;
  std::uint32_t live = 0;       // live values, at the worst place
  std::uint32_t available = 0;  // registers that virtual ones may have
};

// Puts numbers in place of all virtual registers, or returns why there is no allocation; then
// `code` is unchanged.
std::vector<Trouble> allocate_registers(Bundled& code, const Faults* faults = nullptr);

// Live values at the worst place, by file: the minimum for an allocation.
std::array<std::uint32_t, file_count> pressure_of(const Bundled& code);

}  // namespace tandem::schedule
