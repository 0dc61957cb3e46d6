#include "sim/trace/trace_program.hpp"

#include "isa/source_place.hpp"
#include "isa/text.hpp"
#include "sim/events/unit_use.hpp"
#include "sim/trace/trace_event.hpp"

namespace tandem::trace {
namespace {

Track track_of(Unit unit) {
  switch (unit) {
    case Unit::load: return Track::unit_load;
    case Unit::store: return Track::unit_store;
    case Unit::push: return Track::unit_push;
    case Unit::multiply: return Track::unit_multiply;
    case Unit::read: return Track::unit_read;
    case Unit::eup: return Track::unit_eup;
    case Unit::xlu: return Track::unit_xlu;
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
    if (use->unit == Unit::multiply) {
      view.multiplies = bit;
      view.multiply_rows = use->cycles;
    }
  }
  const Latency latency = instruction(operation.op).latency;
  if (latency == Latency::load) view.reads_vmem |= bit;
  if (latency == Latency::scalar_load) view.reads_smem |= bit;
  if (latency == Latency::copy) view.reads_smem |= bit;  // its descriptor
  if (latency == Latency::wait) {
    view.waits = bit;
    view.flag = static_cast<std::uint32_t>(operation.operands[0].value);
  }
  if (operation.op == Op::marker) {
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
