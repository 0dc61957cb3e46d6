#include "sim/trace_units.hpp"

#include <algorithm>

namespace tandem::trace {
namespace {

constexpr std::uint64_t first_unit = uuid_of(Track::unit_load);
constexpr std::uint64_t last_unit = uuid_of(Track::unit_xlu);

}  // namespace

Units::Units(Program& program, std::string& out) {
  for (std::uint64_t unit = first_unit; unit <= last_unit; ++unit) {
    const auto track = static_cast<Track>(unit);
    units_.push_back({Sequence(sequence_of_unit(track), program, out),
                      event_bytes(EventType::slice_end, unit), 0, false});
  }
}

std::size_t Units::index_of(const UnitSlice& slice) { return uuid_of(slice.track) - first_unit; }

Units::Gap Units::gap(const UnitSlice& slice, std::uint64_t cycle) const {
  const Unit& unit = units_[index_of(slice)];
  const std::uint64_t clock = unit.sequence.clock();
  const std::uint64_t end = std::min(unit.busy_until, cycle);
  return {cycle - clock, static_cast<std::uint16_t>(unit.open ? end - clock + 1 : 0)};
}

void Units::introduce(std::string& out, const UnitSlice& slice, const BundleView& view) {
  Unit& unit = unit_of(slice);
  unit.sequence.introduce_name(out, view.names[static_cast<std::size_t>(slice.slot)]);
  unit.sequence.introduce_source(out, view.location);
}

void Units::started(std::string& out, std::uint64_t cycle, const UnitSlice& slice) {
  Unit& unit = unit_of(slice);
  if (unit.open) {
    // A masked access may have been shorter than its rows say.
    unit.sequence.event(out, std::min(unit.busy_until, cycle), unit.end_event);
  }
  unit.sequence.event(out, cycle, slice.begin);
  started_again(cycle, slice);
}

void Units::started_again(std::uint64_t cycle, const UnitSlice& slice) {
  Unit& unit = unit_of(slice);
  unit.sequence.set_clock(cycle);
  unit.busy_until = cycle + slice.use.cycles;
  unit.open = true;
  ++events_;
}

void Units::finish(std::string& out) {
  for (Unit& unit : units_) {
    if (unit.open) unit.sequence.event(out, unit.busy_until, unit.end_event);
    unit.open = false;
  }
}

}  // namespace tandem::trace
