// The data that issue needs about a bundle, decoded once for each set of slots that its predicates
// enable (tpu_decode in the RTL).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/archive/archive.hpp"
#include "isa/encoding.hpp"
#include "isa/golden/decode.hpp"
#include "isa/golden/micro_op.hpp"
#include "isa/image.hpp"
#include "isa/registers/registers.hpp"

namespace tandem {

// The effects of a bundle besides reading and writing registers, by bit.
enum IssueUse : std::uint32_t {
  use_broken = 1U << 0U,  // traps at decode
  use_halt = 1U << 1U,
  use_idle = 1U << 2U,
  use_marker = 1U << 3U,
  use_late_event = 1U << 4U,  // something retires two cycles after issue
  use_load = 1U << 5U,
  use_store = 1U << 6U,
  use_push = 1U << 7U,
  use_transposed = 1U << 8U,  // with use_push
  use_multiply = 1U << 9U,
  use_acc_read = 1U << 10U,
  use_eup = 1U << 11U,
  use_xlu = 1U << 12U,
  use_copy = 1U << 13U,
  use_wait = 1U << 14U,
  use_flag_add = 1U << 15U,
  use_flag_set = 1U << 16U,
  use_column = 1U << 17U,  // with use_load: vldc
  use_landing = 1U << 18U,
};
// May wait for something other than a result or a busy unit.
inline constexpr std::uint32_t uses_that_ask_memory = use_copy | use_wait;
// Wait for a unit.
inline constexpr std::uint32_t uses_that_wait =
    use_load | use_store | use_push | use_multiply | use_acc_read | use_eup | use_xlu;
// Make later bundles wait, or start something on the memory side.
inline constexpr std::uint32_t uses_that_start =
    use_idle | use_load | use_store | use_push | use_multiply | use_acc_read | use_eup | use_xlu |
    use_copy | use_flag_add | use_flag_set | use_landing;
// Require more than counting once the bundle has executed.
inline constexpr std::uint32_t uses_that_end = use_load | use_store | use_marker | use_halt;

// The unit that computes a pending register, by the cause of waiting for it.
enum class Pending : std::uint8_t { scalar, vector, eup, xlu, mxu };
inline constexpr std::size_t pending_kinds = 5;

// Results of SMEM loads and the vector ALU, which land in the cycle after their bundle's issue:
// only a bundle that would issue in that very cycle has to wait for them, for one cycle.
struct LateResults {
  std::uint64_t scalars = 0;  // bit per register; masks above the scalars: they stall alike
  std::uint64_t vectors = 0;
};
inline std::uint64_t register_bit(RegisterName name) {
  const std::uint32_t above = name.file == RegisterFile::m ? scalar_registers : 0;
  return std::uint64_t{1} << (above + name.index);
}

// A register whose result comes even later, or after a number of cycles known only at issue.
struct Landing {
  RegisterFile file = RegisterFile::s;
  std::uint8_t index = 0;
  Pending by = Pending::scalar;
  std::uint8_t latency = 0;  // lands this many cycles after issue; a load of one bank cycle
  bool load = false;
};

// The fields used for every bundle come first, in one cache line.
struct alignas(64) IssuePlan {
  std::uint64_t issued = 0;  // times so far
  std::uint32_t uses = 0;
  std::uint16_t enabled = 0;  // bit per slot
  bool taken = false;         // br, call, jump or ret, enabled: the next cycle is a bubble

  // Registers of enabled slots: those read, and vectors written. Scalars written stall in the same
  // way as those read.
  std::uint64_t scalars = 0;  // as in LateResults
  std::uint64_t v_reads = 0, v_writes = 0;
  LateResults late;  // none when `taken`: no bundle issues in the next cycle

  std::uint8_t landing_count = 0;     // not 0 with use_landing
  std::array<Landing, 3> landings{};  // ld, mx, xu: at most one per slot

  // Fields of the slots that issue uses.
  golden::MicroOp sa, ld, st, mx, dma;
};

// The plans of a program, created on first use.
class IssuePlans {
 public:
  explicit IssuePlans(const Image& image);

  IssuePlan& find(std::uint32_t pc, const golden::BundlePlan& decoded,
                  golden::EnabledSlots enabled) {
    const std::uint32_t at = variants_[first_[pc] + enabled.variant];
    return at != 0 ? plans_[at] : add(pc, decoded, enabled);
  }
  // The slots of a bundle that are enabled, also when its encoding is illegal.
  [[nodiscard]] std::uint16_t enabled(std::uint32_t pc, const std::uint8_t* predicates) const;
  [[nodiscard]] const std::vector<IssuePlan>& all() const { return plans_; }  // [0] is unused

  // Plans are rebuilt; only the set of plans and their issue counts are kept.
  void archive(ArchiveWriter& archive);
  void archive(ArchiveReader& archive);

 private:
  // How a plan is rebuilt.
  struct Origin {
    std::uint32_t pc = 0;
    std::uint16_t enabled = 0;
    bool traps = false;
    std::uint64_t issued = 0;
  };
  [[nodiscard]] std::vector<Origin> origins() const;
  [[nodiscard]] bool can_be(const Origin& plan) const;
  [[nodiscard]] IssuePlan make_plan(std::uint32_t pc, std::uint16_t enabled, bool traps) const;
  IssuePlan& add(std::uint32_t pc, const golden::BundlePlan& decoded, golden::EnabledSlots enabled);
  IssuePlan& keep(std::uint32_t pc, const golden::BundlePlan& decoded, golden::EnabledSlots enabled,
                  const IssuePlan& plan);

  const Image* image_;
  std::vector<std::uint32_t> first_;     // by PC: in variants_, or 0: only zeros follow
  std::vector<std::uint32_t> variants_;  // in plans_, or 0
  std::vector<IssuePlan> plans_;
};

}  // namespace tandem
