// Everything that semantic functions see: the state, the detectors, and the data of the executing
// bundle.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isa/golden/copy.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/golden/marks/marks.hpp"
#include "isa/golden/micro_op.hpp"
#include "isa/golden/peers.hpp"
#include "isa/golden/races.hpp"
#include "isa/launch/launch.hpp"
#include "isa/state/memory.hpp"
#include "isa/state/state.hpp"
#include "isa/state/trap.hpp"

namespace tandem::golden {

inline constexpr std::uint32_t max_vector_words = 1024;  // 8 x 128 lanes

struct Core {
  // As after power-up.
  Core(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
       GoldenOptions chosen);
  // Loads the launch and starts the machine: docs/reference.md section 6.
  void start(const Launch& launch);

  // Host registers of this launch.
  TextRange text{};
  std::uint32_t text_bundles = 0;
  std::uint64_t argument_pointer = 0;
  std::uint32_t argument_words = 0;
  std::uint32_t chip = 0;  // chip number and number of chips
  std::uint32_t chips = 1;
  Peers* peers = nullptr;  // the group's, while in one

  GoldenOptions options;
  State state;
  SparseMemory hbm;
  Marks marks;
  RaceDetector races;

  // The executing bundle.
  std::uint32_t pc = 0;
  std::uint32_t next_pc = 0;
  bool halting = false;
  Trap trap{};
  std::array<std::uint32_t, slot_count> captured{};  // addresses, indices and amounts, by slot
  // Of an indexed load or store: the rows of VMEM, and a bit for each that takes part.
  struct IndexedRows {
    std::array<std::uint32_t, sublanes> row{};
    std::uint32_t taken = 0;
  };
  std::array<IndexedRows, 2> indexed;  // of slots ld and st
  [[nodiscard]] IndexedRows& indexed_by(const MicroOp& op) {
    return indexed[op.slot == Slot::st ? 1 : 0];
  }
  [[nodiscard]] const IndexedRows& indexed_by(const MicroOp& op) const {
    return indexed[op.slot == Slot::st ? 1 : 0];
  }
  Copy copy;
  std::uint32_t flag = 0;  // of slot dma, as captured
  struct Wait {
    std::uint32_t flag = 0;
    std::uint32_t wanted = 0;
  };
  Wait waits;  // of status waiting

  std::uint64_t bundles = 0;  // issued before this one
  std::uint64_t volatile_reads = 0;
  std::optional<Finding> finding;

  // Whether every weight of a buffer is a sign-extended s8, as s8 multiplies require; else they use
  // a copy of the low bytes.
  std::array<bool, 2> weights_fit_s8{};
  std::vector<std::uint16_t> low_bytes;

  // Operands and results in transit; a semantic function may use all of them.
  struct Scratch {
    alignas(64) std::array<std::uint32_t, max_vector_words> x, y, z;
  } scratch;

  [[nodiscard]] std::uint32_t lanes() const { return state.parameters->lanes; }
  [[nodiscard]] std::uint32_t words() const { return state.parameters->vector_words(); }

  [[nodiscard]] std::uint32_t* vector(std::uint32_t number) {
    return state.vectors.data() + std::size_t{number} * words();
  }
  [[nodiscard]] std::uint32_t* mask(std::uint32_t number) {
    return state.masks.data() + std::size_t{number} * state.mask_words();
  }
  [[nodiscard]] std::uint32_t* vmem_row(std::uint32_t row) {
    return state.vmem.data() + std::size_t{row} * lanes();
  }
  [[nodiscard]] std::uint32_t* accumulator(std::uint32_t number) {
    return state.accumulators.data() + std::size_t{number} * words();
  }

  // The value of a `scalar_imm`.
  [[nodiscard]] std::uint32_t amount(const MicroOp& op) const {
    return op.constant ? static_cast<std::uint32_t>(op.imm) : state.scalars[op.n];
  }
  // The flag that an operation of slot dma names; legal below sync_flags.
  [[nodiscard]] std::uint32_t flag_index(const MicroOp& op) const {
    return state.scalars[op.base] + op.value;
  }
  // Scalar plus offset, modulo 2^32.
  [[nodiscard]] std::uint32_t address(const MicroOp& op) const {
    return state.scalars[op.base] + static_cast<std::uint32_t>(op.imm);
  }
  [[nodiscard]] std::uint32_t& captured_by(const MicroOp& op) {
    return captured[static_cast<std::size_t>(op.slot)];
  }

  // Ends the check of an operation with a trap: `return core.raise(...)`.
  bool raise(const MicroOp& op, TrapCause cause, std::uint32_t detail) {
    trap = Trap{cause, op.slot, detail};
    return true;
  }
  // Keeps the first finding; the run ends after this bundle.
  void report(Finding what) {
    if (!finding) finding = std::move(what);
  }

  // For snapshot files: everything between two bundles that a start with the same launch and
  // options does not set. HBM is stored separately.
  template <typename A>
  void archive(A& a) {
    a(state, marks, races, pc, next_pc, halting, trap, captured, indexed, copy, flag, bundles,
      volatile_reads, finding, weights_fit_s8);
  }
};

}  // namespace tandem::golden
