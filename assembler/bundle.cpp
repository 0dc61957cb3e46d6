#include "assembler/bundle.hpp"

#include <span>
#include <utility>

#include "assembler/macro.hpp"
#include "isa/text/text.hpp"

namespace tandem::assembly {
namespace {

// The only slot that accepts a group, or nullopt when there are several.
std::optional<Slot> only_slot(Group group) {
  std::optional<Slot> found;
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (!slot_accepts(static_cast<Slot>(slot), group)) continue;
    if (found) return std::nullopt;
    found = static_cast<Slot>(slot);
  }
  return found;
}

std::string slots_of(Group group) {
  std::string text;
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (!slot_accepts(static_cast<Slot>(slot), group)) continue;
    text += (text.empty() ? "" : " or ") + std::string(slot_layouts[slot].name);
  }
  return text;
}

// A line of a text, and the macro calls that led there, innermost first.
FrameId frame_at(Context& context, const Buffer& buffer, std::uint32_t line) {
  const SourceStep here{buffer.name, line};
  if (buffer.call_line == 0) return context.source.frame({&here, 1});
  std::array<SourceStep, max_depth + 1> chain;
  std::size_t length = 0;
  chain[length++] = here;
  for (const Buffer* at = &buffer; at->call_line != 0 && length < chain.size(); at = at->caller) {
    chain[length++] = {at->caller->name, at->call_line};
  }
  return context.source.frame(std::span(chain.data(), length));
}

}  // namespace

FrameId next_frame(Context& context, const Buffer& buffer, std::uint32_t line) {
  const FrameId said = std::exchange(context.explicit_frame, no_frame);
  if (!context.options.line_table) return no_frame;
  if (said != no_frame) return said;
  return context.automatic_lines ? frame_at(context, buffer, line) : no_frame;
}

bool append_bundle(Context& context, const Bundle& bundle, const Buffer& buffer,
                   std::uint32_t line) {
  if (context.object.text.size() >= max_bundles) return false;
  const auto pc = static_cast<std::uint32_t>(context.object.text.size());
  context.source.line(pc, next_frame(context, buffer, line));
  context.object.text.push_back(bundle);
  add_touches(context.object, pc, std::exchange(context.slot_touches, {}));
  const auto said = std::exchange(context.explicit_slots, {});
  if (!context.options.line_table) return true;
  for (std::uint32_t slot = 0; slot < slot_count; ++slot) context.source.slot(pc, slot, said[slot]);
  return true;
}

// For a bundle without .loc: operations on lines other than its own.
void BundleBuilder::record_lines(Context& context, std::uint32_t pc, const Buffer& buffer,
                                 std::uint32_t line) const {
  for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
    if (owner_[slot] == none) continue;
    const PlacedOperation& operation = operations_[owner_[slot]];
    if (operation.line == line && operation.where.buffer == &buffer) continue;
    context.source.slot(pc, slot, frame_at(context, *operation.where.buffer, operation.line));
  }
}

void BundleBuilder::finish(Context& context, const Span& where, std::uint32_t line) {
  Bundle bundle{};
  owner_.fill(none);
  if (count_ > operations_.size()) {
    context.reporter.error(Code::too_many_operations, where, "", count_, slot_count);
  } else if (place(context) && check_conflicts(context)) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (owner_[slot] == none) continue;
      const PlacedOperation& operation = operations_[owner_[slot]];
      set_slot_bits(bundle, static_cast<Slot>(slot), operation.bits);
      if (!operation.pending.used) continue;
      const std::uint64_t offset =
          context.object.text.size() * bundle_bytes + slot_layouts[slot].lsb / 8U;
      context.fixups.push_back({offset, operation.pending.value, RelocationKind::operand, true,
                                operation.pending.where});
    }
    if (context.watch) context.watch->together(context, {operations_.data(), count_});
  }
  if (!charge_within(context, where, ExpansionCost::bundle)) return;
  const bool by_text =
      context.options.line_table && context.automatic_lines && context.explicit_frame == no_frame;
  const auto pc = static_cast<std::uint32_t>(context.object.text.size());
  // Also after an error, so that the bundles after it keep their numbers.
  if (!append_bundle(context, bundle, *where.buffer, line)) {
    context.reporter.error(Code::too_large, where, "", "text", max_bundles, "bundles");
  } else if (by_text) {
    record_lines(context, pc, *where.buffer, line);
  }
}

// Named slots first, then operations that fit in one slot only, then the others in text order.
bool BundleBuilder::place(Context& context) {
  bool good = true;
  for (std::size_t i = 0; i < count_; ++i) {
    if (operations_[i].slot) good = place_in(context, i, *operations_[i].slot) && good;
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (operations_[i].slot) continue;
    if (const auto slot = only_slot(operations_[i].row->group)) {
      good = place_in(context, i, *slot) && good;
    }
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (operations_[i].slot || only_slot(operations_[i].row->group)) continue;
    good = place_anywhere(context, i) && good;
  }
  return good;
}

bool BundleBuilder::place_in(Context& context, std::size_t operation, Slot slot) {
  const PlacedOperation& item = operations_[operation];
  std::size_t& owner = owner_[static_cast<std::size_t>(slot)];
  if (!slot_accepts(slot, item.row->group)) {
    return context.reporter.error(Code::wrong_slot, item.where,
                                  fmt::format("it goes in {}", slots_of(item.row->group)),
                                  item.row->mnemonic, slot_name(slot));
  }
  if (owner == none) {
    owner = operation;
    return true;
  }
  return context.reporter.error(Code::slot_taken, item.where, "", item.row->mnemonic,
                                slot_name(slot), operations_[owner].row->mnemonic);
}

bool BundleBuilder::place_anywhere(Context& context, std::size_t operation) {
  const PlacedOperation& item = operations_[operation];
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (owner_[slot] != none || !slot_accepts(static_cast<Slot>(slot), item.row->group)) continue;
    owner_[slot] = operation;
    return true;
  }
  return context.reporter.error(Code::no_free_slot, item.where, "", item.row->mnemonic,
                                slots_of(item.row->group));
}

bool BundleBuilder::check_conflicts(Context& context) const {
  for (std::size_t i = 1; i < count_; ++i) {
    if (!operations_[i].destination) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (operations_[j].destination != operations_[i].destination) continue;
      return context.reporter.error(Code::write_conflict, operations_[i].where,
                                    "predicates do not matter; choose between values with a select",
                                    register_text(*operations_[i].destination),
                                    operations_[j].row->mnemonic, operations_[i].row->mnemonic);
    }
  }
  return true;
}

}  // namespace tandem::assembly
