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

void Units::started(std::string& out, std::uint64_t cycle, const UnitSlice& slice,
                    const BundleView& view) {
  Unit& unit = units_[uuid_of(slice.track) - first_unit];
  if (unit.open) {
    // A masked access may have been shorter than its rows say.
    unit.sequence.event(out, std::min(unit.busy_until, cycle), unit.end_event);
  }
  unit.sequence.introduce_name(out, view.names[static_cast<std::size_t>(slice.slot)]);
  unit.sequence.introduce_source(out, view.location);
  unit.sequence.event(out, cycle, slice.begin);
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
