#include "cosim/coverage/coverage.hpp"

#include <algorithm>

#include "isa/timing.hpp"

namespace tandem {
namespace {

constexpr std::size_t file_of(Space space) {
  return space == Space::sreg ? 0 : space == Space::preg ? 1 : space == Space::mreg ? 2 : 3;
}

bool is_register(Space space) {
  return space == Space::sreg || space == Space::preg || space == Space::mreg ||
         space == Space::vreg;
}

}  // namespace

void Coverage::begin(const Image& image) {
  image_ = &image;
  decoded_.assign(image.text.size(), {});
  makers_ = {};
  vectors_ = {};
  scalars_ = {};
  issues_.clear();
  starts_.clear();
  completions_.clear();
  outstanding_ = 0;
  waited_ = 0;
}

const Coverage::Decoded& Coverage::decoded(std::uint32_t pc, const Bundle& bundle) {
  Decoded& entry = decoded_[pc];
  if (entry.done) return entry;
  entry.done = true;
  for (std::size_t number = 0; number < slot_count; ++number) {
    const auto slot = static_cast<Slot>(number);
    const SlotBits bits = slot_bits(bundle, slot);
    if (is_empty(bits)) continue;
    if (const auto operation = decode(slot, bits)) entry.operations.push_back({slot, *operation});
  }
  return entry;
}

void Coverage::count_read(const RetireRecord& record, Slot slot, RegisterName name) {
  const Maker& maker = makers_[static_cast<std::size_t>(name.file)][name.index];
  if (!maker.known) return;
  hit(bin_table().hazard(maker.latency, static_cast<std::size_t>(slot),
                         record.sequence - maker.sequence));
}

std::optional<Coverage::Elements> Coverage::values(const OperandValue& source) const {
  Elements result{};
  switch (static_cast<SourceForm>(source.extra)) {
    case SourceForm::constant: result.fill(static_cast<std::uint32_t>(source.imm)); return result;
    case SourceForm::scalar:
      result.fill(scalars_[static_cast<std::size_t>(source.value)]);
      return result;
    case SourceForm::vector:
    case SourceForm::lo:
    case SourceForm::hi: break;
  }
  const auto& vector = vectors_[static_cast<std::size_t>(source.value)];
  if (!vector) return std::nullopt;
  result = *vector;
  for (std::uint32_t& word : result) {
    if (source.extra == static_cast<std::uint32_t>(SourceForm::lo)) word <<= 16U;
    if (source.extra == static_cast<std::uint32_t>(SourceForm::hi)) word &= 0xffff0000U;
  }
  return result;
}

void Coverage::count_floats(const Operation& operation) {
  const Instruction& row = instruction(operation.op);
  const auto x = values(operation.operands[1]);
  const bool binary = row.operands.count > 2;
  const auto y = binary ? values(operation.operands[2]) : x;
  if (!x || !y) return;
  for (std::size_t i = 0; i < elements; ++i) {
    hit(bin_table().floats(operation.op, float_class((*x)[i]), binary ? float_class((*y)[i]) : 0));
  }
}

void Coverage::count_operation(const RetireRecord& record, const Operated& operated) {
  const Operation& operation = operated.operation;
  const Instruction& row = instruction(operation.op);
  if (operation.predicate != 0) {
    count_read(record, operated.slot, {RegisterFile::p, operation.predicate});
  }
  for (std::size_t place = 0; place < row.operands.count; ++place) {
    const Operand& operand = *row.operands.items[place];
    const OperandValue& value = operation.operands[place];
    hit(bin_table().operand(operation.op, place, operand_class(operand, value)));
    if (const auto name = source(operand, value)) count_read(record, operated.slot, *name);
  }
  if (takes_floats(row)) count_floats(operation);
}

void Coverage::record(const RetireRecord& record) {
  const BinTable& bins = bin_table();
  if (record.trap) {
    if (static_cast<std::size_t>(record.trap.slot) < slot_count) {
      hit(bins.trap(record.trap.cause, record.trap.slot));
    }
    return;
  }
  const Decoded& bundle = decoded(record.pc, record.bundle);
  for (const Operated& operated : bundle.operations) {
    const auto slot = static_cast<std::size_t>(operated.slot);
    const bool holds = ((record.enabled >> slot) & 1U) != 0;
    hit(bins.predicate(slot, operated.operation.predicate, operated.operation.negate, holds));
    if (!holds) continue;
    count_operation(record, operated);
    for (std::size_t other = slot + 1; other < slot_count; ++other) {
      if (((record.enabled >> other) & 1U) != 0) hit(bins.pair(slot, other));
    }
  }
  remember(record, bundle);
}

void Coverage::remember(const RetireRecord& record, const Decoded& bundle) {
  for (const Write& write : record.writes) {
    if (!is_register(write.space)) continue;
    const auto made = std::find_if(bundle.operations.begin(), bundle.operations.end(),
                                   [&](const Operated& item) { return item.slot == write.slot; });
    if (made == bundle.operations.end()) continue;
    makers_[file_of(write.space)][write.index] = {record.sequence,
                                                  instruction(made->operation.op).latency, true};
    if (write.space == Space::sreg) scalars_[write.index] = record.data[write.offset];
    if (write.space != Space::vreg) continue;
    Elements now{};
    std::copy_n(record.data.begin() + write.offset, elements, now.begin());
    vectors_[write.index] = now;
  }
}

void Coverage::issued(const IssueTiming& event) {
  if (!event.trap) issues_.push_back(event);
  for (unsigned cause = 0; waited_ != 0; ++cause, waited_ >>= 1U) {
    if ((waited_ & 1U) == 0) continue;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (((event.enabled >> slot) & 1U) != 0) {
        hit(bin_table().stall(static_cast<StallCause>(cause), slot));
      }
    }
  }
}

void Coverage::count_copies(std::uint64_t before) {
  const auto pass = [](std::deque<std::uint64_t>& cycles, std::uint64_t end) {
    std::uint64_t count = 0;
    for (; !cycles.empty() && cycles.front() < end; cycles.pop_front()) ++count;
    return count;
  };
  for (; !issues_.empty() && issues_.front().cycle < before; issues_.pop_front()) {
    const IssueTiming& issue = issues_.front();
    outstanding_ += pass(starts_, issue.cycle);
    outstanding_ -= pass(completions_, issue.cycle);
    const bool completes = !completions_.empty() && completions_.front() == issue.cycle;
    const CopyState state = completes                            ? CopyState::completion
                            : outstanding_ >= timing::copy_queue ? CopyState::many
                            : outstanding_ > 1                   ? CopyState::several
                            : outstanding_ == 1                  ? CopyState::one
                                                                 : CopyState::none;
    for (const Operated& operated : decoded(issue.pc, image_->text[issue.pc]).operations) {
      if (((issue.enabled >> static_cast<std::size_t>(operated.slot)) & 1U) == 0) continue;
      hit(bin_table().copies(operated.operation.op, state));
    }
  }
}

}  // namespace tandem
