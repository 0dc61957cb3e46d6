#include "isa/golden/record.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "isa/analysis/effects.hpp"
#include "isa/encoding.hpp"
#include "isa/golden/marks/mask_rows.hpp"

namespace tandem::golden {
namespace {

Space register_space(File file) {
  switch (file) {
    case File::s: return Space::sreg;
    case File::p: return Space::preg;
    case File::m: return Space::mreg;
    case File::v: return Space::vreg;
    case File::a: return Space::acc;
  }
  return Space::none;
}

// The writes of an operation; weights are seen through the multiplies that use them, and copies
// have their own part of the record.
Space written_space(const Operation& operation) {
  const Effects effects = effects_of(operation);
  if (effects.flag == FlagUse::add) return Space::flag_add;
  if (effects.flag == FlagUse::set) return Space::flag_set;
  if (effects.writes_accumulator()) return Space::acc;
  if (effects.writes) return register_space(effects.write.file);
  if (!effects.memory.writes) return Space::none;
  return effects.memory.space == LocalMemory::smem ? Space::smem : Space::vmem;
}

void add_write(RetireRecord& record, const MicroOp& op, Space space, std::uint32_t index,
               std::span<const std::uint32_t> data) {
  Write write{op.slot, space};
  write.index = index;
  write.offset = static_cast<std::uint32_t>(record.data.size());
  record.writes.push_back(write);
  record.data.insert(record.data.end(), data.begin(), data.end());
}

// All rows are contiguous.
void add_accumulator(RetireRecord& record, const Core& core, const MicroOp& op) {
  const std::uint32_t number = core.captured[static_cast<std::size_t>(op.slot)];
  Write write{op.slot, Space::acc};
  write.offset = static_cast<std::uint32_t>(record.data.size());
  const auto words = core.state.accumulator(number).first(std::size_t{op.rows} * core.lanes());
  record.data.insert(record.data.end(), words.begin(), words.end());
  for (std::uint32_t r = 0; r < op.rows; ++r, write.offset += core.lanes()) {
    write.row = static_cast<std::uint8_t>(r);
    write.index = number * sublanes + r;
    record.writes.push_back(write);
  }
}

}  // namespace

const Recorder::Plan& Recorder::plan_of(std::uint32_t pc, const Bundle& bundle) {
  Plan& plan = plans_[pc];
  if (plan.made) return plan;
  plan.made = true;
  plan.first = static_cast<std::uint32_t>(items_.size());
  for (std::size_t i = 0; i < slot_count; ++i) {
    const auto slot = static_cast<Slot>(i);
    const auto operation = decode(slot, slot_bits(bundle, slot));
    if (!operation) continue;
    const Space space = written_space(*operation);
    if (space != Space::none) items_.push_back({lower(slot, *operation), space});
  }
  plan.count = static_cast<std::uint8_t>(items_.size() - plan.first);
  return plan;
}

void Recorder::begin(RetireRecord& record, Core& core, const Bundle& bundle) {
  record.sequence = core.bundles;
  record.pc = core.pc;
  record.next_pc = core.trap ? core.pc : core.next_pc;
  record.bundle = bundle;
  record.trap = core.trap;
  record.halted = core.halting && !core.trap;
  if (core.trap) return;
  const Plan& plan = plan_of(core.pc, bundle);
  for (std::uint32_t i = plan.first; i < plan.first + plan.count; ++i) {
    const MicroOp& op = items_[i].op;
    if (items_[i].space != Space::vmem || (record.enabled & op.slot_bit) == 0) continue;
    std::ranges::copy(core.state.vector(op.vx), stored_.begin());
    std::ranges::copy(core.state.mask(op.mx), store_mask_.begin());
  }
}

void Recorder::finish(RetireRecord& record, Core& core, const BundlePlan& bundle) {
  const Plan& plan = plans_[core.pc];
  for (std::uint32_t i = plan.first; i < plan.first + plan.count; ++i) {
    if ((record.enabled & items_[i].op.slot_bit) != 0) add_writes(record, core, items_[i]);
  }
  constexpr unsigned dma_bit = 1U << static_cast<unsigned>(Slot::dma);
  record.has_copy = bundle.copies && (record.enabled & dma_bit) != 0;
  if (!record.has_copy) return;
  record.copy = {core.copy.words, core.copy.source.address, core.copy.destination.address};
}

void Recorder::add_writes(RetireRecord& record, Core& core, const Item& item) const {
  const MicroOp& op = item.op;
  const std::uint32_t captured = core.captured_by(op);
  switch (item.space) {
    case Space::none: return;
    case Space::sreg:
      return add_write(record, op, item.space, op.d, std::span(&core.state.scalars[op.d], 1));
    case Space::preg: {
      const std::uint32_t value = core.state.predicates[op.d];
      return add_write(record, op, item.space, op.d, std::span(&value, 1));
    }
    case Space::mreg: return add_write(record, op, item.space, op.d, core.state.mask(op.d));
    case Space::vreg: return add_write(record, op, item.space, op.d, core.state.vector(op.d));
    case Space::smem:
      return add_write(record, op, item.space, captured, std::span(&core.state.smem[captured], 1));
    case Space::vmem: return add_store(record, core, op);
    case Space::acc: return add_accumulator(record, core, op);
    case Space::flag_add:
    case Space::flag_set:
      return add_write(record, op, item.space, core.flag, std::span(&captured, 1));
  }
}

// Unwritten lanes are shown as zero.
void Recorder::add_store(RetireRecord& record, const Core& core, const MicroOp& op) const {
  const std::uint32_t lanes = core.lanes();
  const Core::IndexedRows& indexed = core.indexed_by(op);
  std::uint32_t row = core.captured[static_cast<std::size_t>(op.slot)];
  for (std::uint32_t r = 0; r < op.rows; ++r, row += static_cast<std::uint32_t>(op.stride)) {
    const RowMarks enabled = mask_row(store_mask_.data(), op.mx_not, r, lanes);
    if (enabled == 0 || (op.indexed && (indexed.taken >> r & 1U) == 0)) continue;
    if (op.indexed) row = indexed.row[r];
    add_write(record, op, Space::vmem, row,
              std::span(stored_).subspan(std::size_t{r} * lanes, lanes));
    Write& write = record.writes.back();
    write.row = static_cast<std::uint8_t>(r);
    for (std::uint32_t part = 0; part < write.lanes.size(); ++part) {
      write.lanes[part] = static_cast<std::uint32_t>(enabled >> (32 * part));
    }
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (!lane_set(enabled, lane)) record.data[write.offset + lane] = 0;
    }
  }
}

}  // namespace tandem::golden
