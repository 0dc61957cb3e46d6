// What issue has to know of a bundle, decoded once for each set of slots that its predicates enable
// (tpu_decode in the RTL).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/golden/micro_op.hpp"
#include "isa/image.hpp"
#include "isa/registers.hpp"

namespace tandem {

// What a bundle does besides reading and writing registers, by bit.
enum IssueUse : std::uint32_t {
  use_broken = 1U << 0U,  // traps at decode
  use_taken = 1U << 1U,   // br, call, jump or ret, enabled
  use_halt = 1U << 2U,
  use_idle = 1U << 3U,
  use_marker = 1U << 4U,
  use_scalar_event = 1U << 5U,  // slot sb writes something that retires
  use_volatile_csr = 1U << 6U,
  use_load = 1U << 7U,
  use_store = 1U << 8U,
  use_push = 1U << 9U,
  use_transposed = 1U << 10U,  // with use_push
  use_multiply = 1U << 11U,
  use_acc_read = 1U << 12U,
  use_eup = 1U << 13U,
  use_xlu = 1U << 14U,
  use_copy = 1U << 15U,
  use_wait = 1U << 16U,
  use_flag_add = 1U << 17U,
  use_flag_set = 1U << 18U,
  use_column = 1U << 19U,  // with use_load: vldc
};
// May wait for something that is no result and no busy unit.
inline constexpr std::uint32_t uses_that_ask_memory = use_copy | use_wait;
// Wait for a unit.
inline constexpr std::uint32_t uses_that_wait =
    use_load | use_store | use_push | use_multiply | use_acc_read | use_eup | use_xlu;
// Make later bundles wait, or start something on the memory side.
inline constexpr std::uint32_t uses_that_start = use_idle | use_load | use_store | use_push |
                                                 use_multiply | use_acc_read | use_eup | use_xlu |
                                                 use_copy | use_flag_add | use_flag_set;
// Ask for more than counting once the bundle has executed.
inline constexpr std::uint32_t uses_that_end = use_load | use_store | use_marker | use_halt;

// The unit that computes a pending register, by the cause of waiting for it.
enum class Pending : std::uint8_t { scalar, vector, eup, xlu, mxu };
inline constexpr std::size_t pending_kinds = 5;

// A register whose result comes later than its bundle's issue.
struct Landing {
  RegisterFile file = RegisterFile::s;
  std::uint8_t index = 0;
  Pending by = Pending::scalar;
  std::uint8_t latency = 0;  // lands this many cycles after issue; a load of one bank cycle
  bool load = false;
};

// What every bundle looks at comes first, in one cache line.
struct alignas(64) IssuePlan {
  std::uint64_t issued = 0;  // times so far
  std::uint32_t pc = 0;
  std::uint16_t enabled = 0;  // bit per slot
  std::uint32_t next = 0;     // IssuePlans: another one of this PC
  std::uint32_t uses = 0;

  // Registers of enabled slots: those read, and those written by results that land later than the
  // issue cycle. Scalars stall the same way for both.
  std::uint64_t v_reads = 0, v_writes = 0;
  std::uint32_t s_touched = 0;
  std::uint8_t m_reads = 0;
  std::uint8_t landing_count = 0;
  std::array<Landing, 6> landings{};  // sb, va, vb, ld, mx, xu: at most one a slot

  // Fields of the slots that issue looks into.
  golden::MicroOp sa, ld, st, mx, dma;
};

// The plans of a program, made when first asked for.
class IssuePlans {
 public:
  explicit IssuePlans(const Image& image);

  IssuePlan& find(std::uint32_t pc, std::uint16_t enabled, bool broken) {
    std::uint32_t at = first_[pc];
    while (at != 0 && plans_[at].enabled != enabled) at = plans_[at].next;
    return at != 0 ? plans_[at] : add(pc, enabled, broken);
  }
  // The slots of a bundle that are enabled, also when its encoding is illegal.
  [[nodiscard]] std::uint16_t enabled(std::uint32_t pc, const std::uint8_t* predicates) const;
  [[nodiscard]] const std::vector<IssuePlan>& all() const { return plans_; }  // [0] is nobody's

 private:
  IssuePlan& add(std::uint32_t pc, std::uint16_t enabled, bool broken);

  const Image* image_;
  std::vector<std::uint32_t> first_;  // by PC
  std::vector<IssuePlan> plans_;
};

}  // namespace tandem
