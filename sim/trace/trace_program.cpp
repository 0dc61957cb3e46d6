#include "sim/trace/trace_program.hpp"

#include "isa/analysis/effects.hpp"
#include "isa/text/source_place.hpp"
#include "isa/text/text.hpp"
#include "sim/events/unit_use.hpp"
#include "sim/trace/trace_event.hpp"

namespace tandem::trace {
namespace {

Track track_of(BusyUnit unit) {
  switch (unit) {
    case BusyUnit::load: return Track::unit_load;
    case BusyUnit::store: return Track::unit_store;
    case BusyUnit::push: return Track::unit_push;
    case BusyUnit::multiply: return Track::unit_multiply;
    case BusyUnit::read: return Track::unit_read;
    case BusyUnit::eup: return Track::unit_eup;
    case BusyUnit::xlu: return Track::unit_xlu;
  }
  __builtin_unreachable();
}

}  // namespace

std::uint32_t Program::name_number(const std::string& name) {
  const auto [found, added] =
      numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size() + 1));
  if (added) names_.push_back(&found->first);
  return found->second;
}

void Program::look_up_operation(const Operation& operation, Slot slot, BundleView& view) {
  const auto bit = static_cast<std::uint16_t>(1U << static_cast<unsigned>(slot));
  if (const std::optional<UnitUse> use = unit_use(operation)) {
    const Track track = track_of(use->unit);
    const std::uint32_t name = view.names[static_cast<std::size_t>(slot)];
    view.units.push_back(
        {slot, *use, track,
         event_bytes(EventType::slice_begin, uuid_of(track), name, view.location)});
    if (use->unit == BusyUnit::multiply) {
      view.multiplies = bit;
      view.multiply_rows = use->cycles;
    }
  }
  const Effects effects = effects_of(operation);
  const bool loads = effects.memory.space != LocalMemory::none && !effects.memory.writes;
  if (loads && effects.memory.space == LocalMemory::vmem) view.reads_vmem |= bit;
  if (loads && effects.memory.space == LocalMemory::smem) view.reads_smem |= bit;
  if (effects.copies()) view.reads_smem |= bit;  // its descriptor
  if (effects.waits()) {
    view.waits = bit;
    view.flag = static_cast<std::uint32_t>(operation.operands[0].value);
  }
  if (effects.control == Control::marker) {
    view.marks = bit;
    view.code = static_cast<std::uint32_t>(operation.operands[0].value);
  }
}

std::unique_ptr<BundleView> Program::look_up(std::uint32_t pc) {
  auto looked_up = std::make_unique<BundleView>();
  BundleView& view = *looked_up;
  view.location = pc + 1;
  view.place = name_number(place_name(image_, pc));
  const auto label_of = [this](std::uint32_t target) { return place_name(image_, target); };
  for (std::size_t i = 0; i < slot_count; ++i) {
    const auto slot = static_cast<Slot>(i);
    const auto operation = decode(slot, slot_bits(image_.text[pc], slot));
    if (!operation) continue;  // empty, or it traps and never issues
    view.names[i] = name_number(operation_text(*operation, label_of));
    look_up_operation(*operation, slot, view);
  }
  return looked_up;
}

}  // namespace tandem::trace
