// The retire record: the effects of one bundle on architectural state. Every model produces the
// same stream of them; lockstep, listings, traces, coverage and the debugger read it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/parameters.hpp"
#include "isa/state/trap.hpp"

namespace tandem {

// The target of a write. One Write names one register, one accumulator row or one VMEM row.
enum class Space : std::uint8_t {
  none,
  sreg,      // index: register;           data: 1 word
  preg,      // index: register;           data: 1 word, 0 or 1
  mreg,      // index: register;           data: 8 L bits, bit r * L + j, 32 bits a word
  vreg,      // index: register;           data: 8 L words, word r * L + j
  smem,      // index: word address;       data: 1 word
  vmem,      // index: row address;        data: L words, `lanes` selects those written
  acc,       // index: acc * 8 + row;      data: L words
  flag_add,  // index: flag;               data: 1 word, the amount
  flag_set,  // index: flag;               data: 1 word, the value
};

// The number of data words of a write to this space.
inline std::uint32_t data_words(Space space, const Parameters& parameters) {
  switch (space) {
    case Space::none: return 0;
    case Space::sreg:
    case Space::preg:
    case Space::smem:
    case Space::flag_add:
    case Space::flag_set: return 1;
    case Space::mreg: return parameters.vector_words() / 32;
    case Space::vreg: return parameters.vector_words();
    case Space::vmem:
    case Space::acc: return parameters.lanes;
  }
  return 0;
}

// How many registers, words, rows or flags a space has; of acc rows.
std::uint64_t space_size(Space space, const Parameters& parameters);

struct Write {
  Slot slot;  // the slot that caused it
  Space space;
  std::uint8_t row = 0;  // vmem and acc: the register row r that it comes from, else 0
  std::uint32_t index = 0;
  std::array<std::uint32_t, 4> lanes{~0U, ~0U, ~0U, ~0U};  // vmem: bit j set = lane j is written
  std::uint32_t offset = 0;  // of its first data word in RetireRecord::data
};

// A copy as issued: its descriptor words and the effective addresses (bytes, offsets added).
struct CopyIssue {
  std::array<std::uint32_t, descriptor_words> descriptor{};
  std::uint64_t source = 0;
  std::uint64_t destination = 0;
};

// One bundle. Reused from bundle to bundle: clear() keeps the capacity.
// Writes that are discarded (s0, p0, m0) and slots whose predicate is false leave no Write. A VMEM
// row without enabled lanes leaves none. A trapping bundle has no writes and next_pc == pc.
struct RetireRecord {
  std::uint64_t sequence = 0;  // bundles issued before this one; a trapping bundle counts
  std::uint32_t pc = 0;
  std::uint32_t next_pc = 0;  // after a halt: pc + 1
  std::array<std::uint32_t, bundle_words> bundle{};
  std::uint16_t enabled = 0;  // bit per slot: the slot is not empty and its predicate holds
  bool halted = false;
  bool has_copy = false;
  CopyIssue copy{};  // meaningful when has_copy
  Trap trap{};
  std::vector<Write> writes;  // in slot order, then row order
  std::vector<std::uint32_t> data;

  void clear();
  [[nodiscard]] std::span<const std::uint32_t> data_of(const Write& write,
                                                       const Parameters& parameters) const;

  // For snapshot files (isa/archive/archive.hpp).
  template <typename A>
  void archive(A& a) {
    a(sequence, pc, next_pc, bundle, enabled, halted, has_copy, copy, trap, writes, data);
  }
};

}  // namespace tandem
