// Linear code as data: operations in order, on any number of virtual registers. The assembler's
// `.linear` blocks and code generators produce this form; schedule/schedule.hpp makes bundles from
// it. Meaning: exactly that of the operations executed one per bundle in the order written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/analysis/effects.hpp"
#include "isa/object/operand_constant.hpp"

namespace tandem::schedule {

using VirtualId = std::uint32_t;  // index into LinearBlock::virtuals
inline constexpr VirtualId no_virtual = ~0U;
using LabelId = std::uint32_t;  // index into LinearBlock::labels
inline constexpr LabelId no_label = ~0U;

struct VirtualRegister {
  std::string name;                // without its `%`
  std::optional<File> file;        // set by the first use; absent: unused
  VirtualId copy_of = no_virtual;  // the author's name, if scheduling has renamed it
  // All its writes and reads are under one predicate, a write first: no read sees the earlier
  // value, so such a write counts as a whole one.
  bool guarded = false;
};

// An anchor whose value is zero: the number is known, and is in anchor_offset.
inline constexpr std::uint32_t number_anchor = 1;

// The fields of `operation` that name virtual registers hold a placeholder: 1 for registers that
// have a constant number 0, 0 for accumulators.
inline constexpr std::int32_t virtual_placeholder = 1;

constexpr std::array<VirtualId, max_operands + 1> no_virtuals() {
  std::array<VirtualId, max_operands + 1> ids{};
  for (VirtualId& id : ids) id = no_virtual;
  return ids;
}

struct LinearOperation {
  Operation operation;
  // The virtual register that each operand names, last that of the predicate. For an accumulator
  // operand it is the accumulator or the scalar in its brackets, depending on the register's file.
  std::array<VirtualId, max_operands + 1> registers = no_virtuals();
  LabelId target = no_label;  // of a branch within the block; else it leaves the block
  // A constant that only the linker knows: `anchor` + `anchor_offset` replaces the operation's
  // constant. Equal anchors have equal values; 0 means no anchor, then the operation holds the
  // number; see also number_anchor.
  std::uint32_t anchor = 0;
  std::int64_t anchor_offset = 0;
  bool added = false;           // by scheduling: a jump, a move between registers, or to the frame
  std::uint32_t remakes = ~0U;  // added: the tag of the operation whose constant it rematerializes
  std::uint32_t tag = 0;        // for the owner: its source, constants that are not fixed yet
};

// Whether the anchor is in this operand.
inline bool is_anchored(const LinearOperation& item, std::uint8_t place) {
  return item.anchor != 0 && relocatable_operand(instruction(item.operation.op)) == place;
}

// A promise of the author: the span of all rows (or words) that the block touches with `a` as the
// register of the address, and that with `b`, are disjoint. Loads and stores of VMEM and of SMEM
// are separate; copies are not included.
struct Disjoint {
  VirtualId a = no_virtual;
  VirtualId b = no_virtual;
};

enum class Heat : std::uint8_t { usual, hot, cold };

// The author's hints about the loop, or the stretch, that begins at a label. Only the promise about
// copies has to be right: a pipeline that relies on a number of iterations traps with
// `broken_count` if the number differs.
struct Hint {
  LabelId label = no_label;
  std::uint32_t fewest = 1;  // number of iterations each time the loop is entered
  std::uint32_t most = ~0U;
  std::uint32_t factor = 1;  // which their number is a multiple of, at least 1
  std::uint32_t unroll = 0;  // copies of an iteration in the kernel of a pipeline; 0: any
  Heat heat = Heat::usual;
  std::uint32_t copies_apart = 0;  // for this loop, where not 0, instead of the block's

  [[nodiscard]] bool allows(std::uint64_t iterations) const {
    return iterations >= fewest && iterations <= most && iterations % factor == 0;
  }
  // Whether it allows any of iterations, iterations + period, iterations + 2 period ...
  [[nodiscard]] bool allows_any(std::uint64_t iterations, std::uint64_t period) const;
};

inline constexpr std::int32_t broken_count = 0xd16;  // the trap's detail code

struct LinearBlock {
  std::string name;  // for messages; may be empty
  std::vector<VirtualRegister> virtuals;
  std::vector<LinearOperation> operations;
  std::vector<std::uint32_t> labels;  // the operation that each precedes, or operations.size()
  std::vector<Disjoint> disjoint;
  // A promise of the author: in a loop, no load or store touches what a copy reads or writes in
  // this many iterations up to and including the copy's own. 0: nothing is promised.
  std::uint32_t copies_apart = 0;
  // Space that belongs to the block alone: words below the stack pointer s2, and rows from s3 on.
  std::uint32_t frame_words = 0;
  std::uint32_t frame_rows = 0;
  std::vector<Hint> hints;  // at most one per label

  // The hint at an operation; nullptr if there is none.
  [[nodiscard]] const Hint* hint_at(std::uint32_t operation) const {
    for (const Hint& hint : hints) {
      if (labels[hint.label] == operation) return &hint;
    }
    return nullptr;
  }
  // The promise about copies in the loop that begins at an operation.
  [[nodiscard]] std::uint32_t copies_apart_at(std::uint32_t operation) const {
    const Hint* hint = hint_at(operation);
    return hint != nullptr && hint->copies_apart != 0 ? hint->copies_apart : copies_apart;
  }
};

// An operation that produces a constant of its own instruction, which can be rematerialized
// anywhere.
inline bool makes_constant(const LinearOperation& item) {
  const Operation& operation = item.operation;
  const bool always = operation.predicate == 0 && !operation.negate && item.anchor == 0;
  const bool moves = operation.op == Op::mov || operation.op == Op::vmov;
  return always && moves && effects_of(operation).read_count == 0 &&
         item.registers[1] == no_virtual;
}

// A register of a block: a virtual one, or file and number.
struct RegisterKey {
  File file = File::s;
  VirtualId virtual_id = no_virtual;
  std::uint8_t index = 0;

  [[nodiscard]] bool is_virtual() const { return virtual_id != no_virtual; }
  bool operator==(const RegisterKey&) const = default;
};

// Whether an operation replaces all of the register that it writes.
inline bool writes_whole(const std::vector<VirtualRegister>& virtuals, const LinearOperation& item,
                         const Effects& effects) {
  if (!effects.writes || effects.keeps_old) return false;
  const VirtualId id = item.registers[effects.write.place];
  const bool always = item.operation.predicate == 0 && !item.operation.negate;
  return always || (id != no_virtual && virtuals[id].guarded);
}

inline RegisterKey key_of(const LinearOperation& item, const RegisterUse& use) {
  const VirtualId id = item.registers[use.place];
  if (id == no_virtual) return {use.file, no_virtual, use.index};
  return {use.file, id, 0};
}

}  // namespace tandem::schedule
