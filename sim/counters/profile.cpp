#include "sim/counters/profile.hpp"

#include <algorithm>
#include <numeric>

namespace tandem {
namespace {

constexpr std::size_t path_count = 3;  // of MemoryPath
// Rows of the buckets: causes, paths, then tracks.
constexpr std::size_t first_path = cause_count;
constexpr std::size_t first_track = first_path + path_count;

enum Track : std::uint8_t { scalar, valu, load, store, push, multiply, eup, xlu, copies };

const std::vector<ProfileTrack> tracks{
    {"scalar", "operations in slots sa and sb, of two in every cycle", 2},
    {"VALU", "operations in slots va and vb, of two in every cycle", 2},
    {"load", "cycles in which a load reads VMEM", 1},
    {"store", "cycles in which a store writes VMEM", 1},
    {"MXU push", "cycles in which the push port takes weights", 1},
    {"MXU multiply", "cycles in which the left port takes a row", 1},
    {"EUP", "cycles in which the transcendental unit takes a row", 1},
    {"XLU", "cycles in which the cross-lane unit takes a row", 1},
    {"copies", "cycles with a copy in flight, from its issue to its flag", 1},
};

std::optional<Track> track_of(BusyUnit unit) {
  switch (unit) {
    case BusyUnit::load: return load;
    case BusyUnit::store: return store;
    case BusyUnit::push: return push;
    case BusyUnit::multiply: return multiply;
    case BusyUnit::read: return std::nullopt;
    case BusyUnit::eup: return eup;
    case BusyUnit::xlu: return xlu;
  }
  __builtin_unreachable();
}

constexpr std::uint16_t slot_bit(Slot slot) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(slot));
}

}  // namespace

std::uint64_t BundleProfile::total() const {
  return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

Profile::Profile(const Image& image)
    : image_(image), place_(image.text.size()), buckets_(first_track + tracks.size()) {}

BundleProfile& Profile::bundle(std::uint32_t pc) {
  std::uint32_t& place = place_[pc];
  if (place == 0) {
    bundles_.push_back({pc, {}, {}});
    uses_.push_back(units_of(pc));
    place = static_cast<std::uint32_t>(bundles_.size());
  }
  return bundles_[place - 1];
}

// What was lost before a bundle issued, and its issue, are consecutive cycles.
void Profile::tell_steps(std::uint32_t pc, std::uint64_t end) {
  if (end <= told_) return;
  steps_.add_range(place_[pc] - 1, told_, end - told_);
  told_ = end;
}

std::vector<Profile::SlotUnit> Profile::units_of(std::uint32_t pc) const {
  std::vector<SlotUnit> units;
  for (std::size_t i = 0; i < slot_count; ++i) {
    const auto slot = static_cast<Slot>(i);
    const auto operation = decode(slot, slot_bits(image_.text[pc], slot));
    const std::optional<UnitUse> use = operation ? unit_use(*operation) : std::nullopt;
    if (use && track_of(use->unit)) units.push_back({slot_bit(slot), *use});
  }
  return units;
}

void Profile::issued(const IssueTiming& event) {
  if (event.pc >= place_.size()) return;  // a start outside the text traps before any bundle
  BundleProfile& profile = bundle(event.pc);
  last_pc_ = event.pc;
  for (std::size_t i = 0; i < cause_count; ++i) {
    profile.cycles[i] += pending_[i];
    pending_[i] = 0;
  }
  tell_steps(event.pc, event.trap ? event.cycle : event.cycle + 1);
  if (event.trap) return;
  constexpr auto issue_cause = static_cast<std::size_t>(StallCause::issued);
  ++profile.cycles[issue_cause];
  buckets_.add(issue_cause, event.cycle);
  for (const Slot slot : {Slot::sa, Slot::sb}) {
    if ((event.enabled & slot_bit(slot)) != 0) buckets_.add(first_track + scalar, event.cycle);
  }
  for (const Slot slot : {Slot::va, Slot::vb}) {
    if ((event.enabled & slot_bit(slot)) != 0) buckets_.add(first_track + valu, event.cycle);
  }
  for (const SlotUnit& unit : uses_[place_[event.pc] - 1]) {
    if ((event.enabled & unit.slot) != 0) start_unit(event.cycle, unit.use);
  }
}

void Profile::lost(const LostCycles& event) {
  const auto cause = static_cast<std::size_t>(event.cause);
  pending_[cause] += event.count;
  buckets_.add_range(cause, event.first, event.count);
}

void Profile::start_unit(std::uint64_t cycle, const UnitUse& use) {
  end_unit(use.unit, cycle);
  busy_[static_cast<std::size_t>(use.unit)] = {cycle, cycle + use.cycles};
}

// A load or store with masked rows may have been shorter than its number of rows; a new one proves
// it.
void Profile::end_unit(BusyUnit unit, std::uint64_t cycle) {
  Busy& busy = busy_[static_cast<std::size_t>(unit)];
  const std::optional<Track> track = track_of(unit);
  const std::uint64_t end = std::min(busy.until, cycle);
  if (track) buckets_.add_range(first_track + *track, busy.first, end - busy.first);
  busy = {};
}

void Profile::copy_started(const CopyStart& event) {
  if (copies_in_flight_++ == 0) copies_since_ = event.cycle;
}

void Profile::copy_done(const CopyDone& event) {
  if (copies_in_flight_ == 0) return;
  --copies_in_flight_;
  if (copies_in_flight_ != 0) return;
  buckets_.add_range(first_track + copies, copies_since_, event.cycle + 1 - copies_since_);
}

void Profile::beats(const MemoryBeats& event) {
  buckets_.add_range(first_path + static_cast<std::size_t>(event.path), event.first, event.count);
}

void Profile::finish(std::uint64_t cycles) {
  cycles_ = cycles;
  finished_ = true;
  for (std::size_t unit = 0; unit < busy_unit_count; ++unit)
    end_unit(static_cast<BusyUnit>(unit), cycles);
  if (copies_in_flight_ != 0 && cycles > copies_since_) {
    buckets_.add_range(first_track + copies, copies_since_, cycles - copies_since_);
    copies_in_flight_ = 0;
  }
  if (!last_pc_) return;
  BundleProfile& last = bundle(*last_pc_);
  for (std::size_t i = 0; i < cause_count; ++i) last.cycles[i] += pending_[i];
  pending_ = {};
  tell_steps(*last_pc_, cycles);
}

std::vector<BundleProfile> Profile::bundles() const {
  std::vector<BundleProfile> sorted = bundles_;
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i].steps = steps_.row(i);
  std::sort(sorted.begin(), sorted.end(),
            [](const BundleProfile& a, const BundleProfile& b) { return a.pc < b.pc; });
  return sorted;
}

std::vector<std::uint64_t> Profile::cause_over_time(StallCause cause) const {
  return buckets_.row(static_cast<std::size_t>(cause), cycles_);
}

const std::vector<ProfileTrack>& Profile::unit_tracks() { return tracks; }

std::vector<std::uint64_t> Profile::unit_over_time(std::size_t track) const {
  return buckets_.row(first_track + track, cycles_);
}

std::vector<std::uint64_t> Profile::beats_over_time(MemoryPath path) const {
  return buckets_.row(first_path + static_cast<std::size_t>(path), cycles_);
}

}  // namespace tandem
