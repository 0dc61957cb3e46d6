#include "cli/debug/timeline.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include "isa/golden/snapshot.hpp"

namespace tandem::debug {
namespace {

constexpr double slice_seconds = 0.002;
// A bundle may start a copy of gigabytes; so only a few are run before checking the clock again.
constexpr std::uint64_t largest_slice = 8192;
constexpr std::uint64_t smallest_slice = 100;
// Share of the time forwards, unless that would space snapshots so far apart that going back takes
// long.
constexpr double largest_share_of_saving = 0.1;
constexpr double widest_spacing = 0.04;

// Time of this thread: other work on the host must not space snapshots more closely.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

Timeline::Timeline(std::unique_ptr<Target> target, std::size_t text_bundles,
                   TimelineOptions options)
    : target_(std::move(target)),
      options_(options),
      no_stops_(text_bundles),
      spacing_(options.spacing) {
  base_ = snapshots_.emplace(0, Saved{target_->save(nullptr), 0, 0}).first;
  clock_ = processor_seconds();
}

RunStatus Timeline::step(RetireRecord* record) {
  if (at_end()) {
    if (record != nullptr) record->clear();
    return target_->status();
  }
  target_->step(record);
  advanced(1, false);
  return target_->status();
}

RunStatus Timeline::run(std::uint64_t limit, std::span<const std::uint8_t> stops) {
  if (at_end() || limit == 0) return target_->status();
  const std::uint64_t before = target_->golden().bundles();
  target_->run_to(std::min(limit, slice_), stops);
  const bool trapped = target_->golden().status() == RunStatus::trapped;
  advanced(target_->golden().bundles() - before + (trapped ? 1 : 0), true);
  return target_->status();
}

// Reading the clock costs as much as several bundles, so short advances are counted together.
void Timeline::advanced(std::uint64_t bundles, bool timed) {
  position_ += bundles;
  uncounted_ += bundles;
  const auto next = std::next(base_);
  if (next != snapshots_.end() && next->first <= position_) {
    base_ = std::prev(snapshots_.upper_bound(position_));
    since_base_ = 0;
    uncounted_ = 0;
    clock_ = processor_seconds();
    return;
  }
  const std::uint64_t enough = timed ? slice_ / 2 : std::max(slice_ / 8, smallest_slice);
  if (uncounted_ < enough) return;
  const double now = processor_seconds();
  const double seconds = std::max(now - std::exchange(clock_, now), 1e-9);
  since_base_ += seconds;
  const auto rate = static_cast<double>(std::exchange(uncounted_, 0)) / seconds;
  if (timed) {
    const double wanted = std::min(rate * slice_seconds, static_cast<double>(largest_slice));
    slice_ = std::max(static_cast<std::uint64_t>(wanted), smallest_slice);
  }
  if (since_base_ >= spacing_) save();
}

void Timeline::save() {
  if (base_->first == position_) return;
  const auto next = std::next(base_);
  const double start = processor_seconds();
  const auto saved = snapshots_.emplace_hint(
      next, position_, Saved{target_->save(&base_->second.moment), 0, since_base_});
  const double cost = processor_seconds() - start;
  const double affordable = std::min(cost / largest_share_of_saving, widest_spacing);
  spacing_ = std::max(options_.spacing, affordable);
  recount(saved);
  if (next != snapshots_.end()) {
    next->second.gap = std::max(next->second.gap - since_base_, 0.0);
    recount(next);
  }
  base_ = saved;
  since_base_ = 0;
  while (bytes_ > options_.memory && snapshots_.size() > 3) thin();
  clock_ = processor_seconds();
}

void Timeline::recount(Snapshots::iterator snapshot) {
  bytes_ -= snapshot->second.bytes;
  snapshot->second.bytes =
      bytes_beyond(snapshot->second.moment, std::prev(snapshot)->second.moment);
  bytes_ += snapshot->second.bytes;
}

// Drops the snapshot that leaves the smallest gap, never the first, the last or the base.
void Timeline::thin() {
  auto best = snapshots_.end();
  double smallest = 0;
  for (auto at = std::next(snapshots_.begin()); std::next(at) != snapshots_.end(); ++at) {
    if (at == base_) continue;
    const double gap = at->second.gap + std::next(at)->second.gap;
    if (best != snapshots_.end() && gap >= smallest) continue;
    best = at;
    smallest = gap;
  }
  drop(best);
}

void Timeline::drop(Snapshots::iterator snapshot) {
  const auto next = std::next(snapshot);
  next->second.gap += snapshot->second.gap;
  bytes_ -= snapshot->second.bytes;
  snapshots_.erase(snapshot);
  recount(next);
}

void Timeline::move_to(std::uint64_t position) {
  const auto nearest = std::prev(snapshots_.upper_bound(position));
  // Already on the way: continuing is shorter than coming back.
  if (position < position_ || nearest->first > position_) {
    target_->restore(nearest->second.moment);
    base_ = nearest;
    position_ = nearest->first;
    since_base_ = 0;
    uncounted_ = 0;
    clock_ = processor_seconds();
  }
  while (position_ < position && !at_end()) run(position - position_, no_stops_);
}

std::uint64_t Timeline::snapshot_before(std::uint64_t position) const {
  return std::prev(snapshots_.upper_bound(position))->first;
}

double Timeline::widest_gap() const {
  double widest = since_base_;
  for (const auto& [position, saved] : snapshots_) widest = std::max(widest, saved.gap);
  return widest;
}

std::uint64_t bytes_beyond(const Moment& moment, const Moment& other) {
  const std::uint64_t timing = moment.timing ? timing_bytes(*moment.timing) : 0;
  return moment.golden->bytes_beyond(*other.golden) + timing;
}

}  // namespace tandem::debug
