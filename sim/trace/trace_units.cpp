#include "sim/trace/trace_units.hpp"

#include <algorithm>

namespace tandem::trace {
namespace {

constexpr std::uint64_t first_unit = uuid_of(Track::unit_load);

}  // namespace

Units::Units(Program& program, std::string& out) {
  for (std::uint64_t unit = first_unit; unit < first_unit + unit_tracks; ++unit) {
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
    // A masked access may have been shorter than its number of rows.
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
  effect_.used |= 1U << index_of(slice);
  ++events_;
}

Units::State Units::state(std::size_t unit, std::uint64_t cycle) const {
  const auto behind = [cycle](std::uint64_t other) {
    return static_cast<std::int64_t>(other - cycle);
  };
  return {behind(units_[unit].sequence.clock()), behind(units_[unit].busy_until),
          units_[unit].open};
}

void Units::begin_effect(std::uint64_t cycle) {
  effect_ = {};
  effect_.events = events_;
  effect_cycle_ = cycle;
  for (std::size_t i = 0; i < unit_tracks; ++i) effect_.before[i] = state(i, cycle);
}

Units::Effect Units::end_effect() {
  effect_.events = events_ - effect_.events;
  for (std::size_t i = 0; i < unit_tracks; ++i) effect_.after[i] = state(i, effect_cycle_);
  return effect_;
}

bool Units::are_as_before(const Effect& effect, std::uint64_t cycle) const {
  for (std::size_t i = 0; i < unit_tracks; ++i) {
    if ((effect.used >> i & 1U) != 0 && effect.before[i] != state(i, cycle)) return false;
  }
  return true;
}

void Units::apply(const Effect& effect, std::uint64_t cycle) {
  for (std::size_t i = 0; i < unit_tracks; ++i) {
    if ((effect.used >> i & 1U) == 0) continue;
    const State& after = effect.after[i];
    Unit& unit = units_[i];
    unit.sequence.set_clock(cycle + static_cast<std::uint64_t>(after.clock));
    unit.busy_until = cycle + static_cast<std::uint64_t>(after.busy_until);
    unit.open = after.open;
  }
  events_ += effect.events;
}

void Units::finish(std::string& out) {
  for (Unit& unit : units_) {
    if (unit.open) unit.sequence.event(out, unit.busy_until, unit.end_event);
    unit.open = false;
  }
}

}  // namespace tandem::trace
