// The race detector of a chip in a group: orders between chips.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/golden/races.hpp"

namespace tandem::golden {
namespace {

Finding race(std::uint32_t pc, std::optional<std::uint32_t> origin, std::string message) {
  return {FindingKind::race, pc, origin, std::move(message)};
}

}  // namespace

void RaceDetector::join(ChipTimes* times) {
  if (!enabled_) return;
  // Every load and store calls this, so that its time is recorded.
  if ((times != nullptr) != in_group()) {
    sides_[index(MemorySpace::vmem)] += times != nullptr ? 1U : ~0U;
  }
  times_ = times;
  for (Pending& copy : pending_) copy.chip = own_chip();  // those that the start has begun
}

std::optional<Finding> RaceDetector::send(const Copy& copy, std::uint32_t pc,
                                          RaceDetector& receiver) {
  if (!enabled_) return std::nullopt;
  std::optional<Finding> found;
  Pending reading{pc, copy.flag_here, copy.amount_here, {}, {}, own_chip()};
  Pending writing{
      pc, copy.flag, copy.amount, {}, {}, own_chip(), std::make_shared<const Clock>(times_->now)};
  if (!copy.moves_nothing()) {
    build_footprint(reading.source, copy, copy.source);
    if (build_footprint(writing.destination, copy, copy.destination)) found = self_overlap(pc);
  }
  if (!found) found = first_conflict(reading);
  if (!found) found = receiver.first_conflict(writing);
  if (!found) found = receiver.unordered_touch(writing);
  if (!found) found = receiver.unordered_add(writing);
  if (copy.amount_here != 0 || !copy.moves_nothing()) add(std::move(reading));
  receiver.add(std::move(writing));
  ++times_->now[own_chip()];
  return found;
}

// This chip has touched a place that the copy writes, and the sender cannot know that.
std::optional<Finding> RaceDetector::unordered_touch(const Pending& arriving) const {
  const bool in_vmem = arriving.destination.space == MemorySpace::vmem;
  const TouchTimes& touched = in_vmem ? times_->vmem : times_->hbm;
  const Time known = (*arriving.clock)[own_chip()];
  for (const Interval& run : arriving.destination.runs) {
    const auto byte = touched.later(run.begin, run.end, known);
    if (!byte) continue;
    return race(
        arriving.pc, std::nullopt,
        fmt::format("the copy at {} writes {} of chip {}, which that chip has used in a time "
                    "that the sender knows nothing of: no copy and wait bring the two in order",
                    at(arriving.pc, arriving.chip),
                    byte_text(arriving.destination.space, *byte, vmem_.grain_bytes), own_chip()));
  }
  return std::nullopt;
}

// A wait that copies of others have ended, or an fset, unknown to the sender.
std::optional<Finding> RaceDetector::unordered_add(const Pending& arriving) const {
  const ChipTimes::Flag& flag = times_->flags[arriving.flag];
  const Time known = (*arriving.clock)[own_chip()];
  const auto beside = [&](std::uint32_t other_pc, std::string_view what) {
    return race(
        arriving.pc, other_pc,
        fmt::format("the copy at {} adds to f{} of chip {} in no order with the {} at {}",
                    at(arriving.pc, arriving.chip), arriving.flag, own_chip(), what, at(other_pc)));
  };
  if (flag.set > known) return beside(flag.set_pc, "fset");
  for (std::uint32_t chip = 0; chip < flag.proved.size(); ++chip) {
    if (chip == arriving.chip || flag.proved[chip] <= known) continue;
    return beside(flag.wait_pc, "wait for another chip's copy");
  }
  return std::nullopt;
}

// One chip's adds to a flag arrive in order, those of different chips in any order: without this
// one, the flag could have reached the sum of all those of other chips and the older ones of its
// own.
RaceDetector::Proof RaceDetector::proof(std::uint32_t flag, std::uint32_t value,
                                        std::uint32_t n) const {
  const auto all = static_cast<std::int64_t>(unproven_[flag]);
  const std::int64_t sure = static_cast<std::int32_t>(value - static_cast<std::uint32_t>(all) - n);
  std::vector<std::int64_t> of_chip(times_->now.size());
  std::vector<std::int64_t> older(times_->now.size());
  const auto adds = [flag](const Pending& copy) { return copy.flag == flag && copy.amount != 0; };
  for (const Pending& copy : pending_) {
    if (adds(copy)) of_chip[copy.chip] += copy.amount;
  }
  Proof result;
  bool some_left = false;
  for (const Pending& copy : pending_) {
    const bool counts = adds(copy);
    const std::int64_t without = sure + all - of_chip[copy.chip] + older[copy.chip];
    result.proved.push_back(counts && without < 0);
    if (!counts) continue;
    older[copy.chip] += copy.amount;
    some_left = some_left || without >= 0;
  }
  const auto chips = std::count_if(of_chip.begin(), of_chip.end(),
                                   [](std::int64_t amount) { return amount != 0; });
  result.by_several = chips > 1 && some_left && sure < 0;
  return result;
}

std::optional<Finding> RaceDetector::check_order(std::uint32_t flag, std::uint32_t value,
                                                 std::uint32_t n, std::uint32_t pc) const {
  if (!proof(flag, value, n).by_several) return std::nullopt;
  return race(
      pc, std::nullopt,
      fmt::format("the wait at {} for f{} may be ended by copies of one chip or of another, "
                  "and proves none of them: give each chip a flag, or wait for all",
                  at(pc), flag));
}

// Everything that the wait proves happened before everything from here on.
void RaceDetector::learn(std::vector<Pending>::iterator first, std::uint32_t flag,
                         std::uint32_t pc) {
  for (auto copy = first; copy != pending_.end(); ++copy) {
    if (copy->clock) take_over(times_->now, *copy->clock);
    times_->flags[flag].proved[copy->chip] = times_->time();
    times_->flags[flag].wait_pc = pc;
    for (const Footprint* side : {&copy->source, &copy->destination}) {
      if (side->space == MemorySpace::smem) continue;
      TouchTimes& touched = side->space == MemorySpace::vmem ? times_->vmem : times_->hbm;
      for (const Interval& run : side->runs) touched.touch(run.begin, run.end, times_->time());
    }
  }
}

}  // namespace tandem::golden
