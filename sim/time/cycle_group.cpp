#include "sim/time/cycle_group.hpp"

#include <algorithm>

namespace tandem {
namespace {

std::vector<GoldenModel*> golden_models(const std::vector<CycleModel*>& chips) {
  std::vector<GoldenModel*> models;
  models.reserve(chips.size());
  for (CycleModel* chip : chips) models.push_back(&chip->golden());
  return models;
}

}  // namespace

CycleGroup::CycleGroup(std::vector<CycleModel*> chips, const MemoryTimingParameters& timing,
                       std::uint32_t window)
    : chips_(std::move(chips)),
      golden_(golden_models(chips_)),
      ring_(static_cast<std::uint32_t>(chips_.size()), timing.link_latency, timing.link_rate),
      window_(window == 0 ? timing.link_latency : std::min(window, timing.link_latency)) {
  for (std::uint32_t chip = 0; chip < chips_.size(); ++chip) chips_[chip]->tie(ring_.ports(chip));
}

GroupStatus CycleGroup::run(std::uint64_t cycles) {
  const std::uint64_t end = now_ + cycles;
  GroupStatus status = GroupStatus::running;
  while (status == GroupStatus::running && now_ < end) status = run_window();
  return status;
}

GroupStatus CycleGroup::run_window() {
  now_ += window_;
  for (std::uint32_t chip = 0; chip < chips_.size(); ++chip) {
    chips_[chip]->run_window(now_);
    if (chips_[chip]->status() != RunStatus::running) golden_.note_end(chip);
  }
  if (golden_.ended_by()) return GroupStatus::ended;
  if (all_ended()) return GroupStatus::halted;
  // No chip can continue: golden, whose flags have received everything ever sent, agrees.
  if (ring_.quiet() && all_still()) return golden_.run(1);
  return GroupStatus::running;
}

bool CycleGroup::all_still() const {
  return std::all_of(chips_.begin(), chips_.end(),
                     [](const CycleModel* chip) { return chip->still(); });
}

bool CycleGroup::all_ended() const {
  return std::all_of(chips_.begin(), chips_.end(),
                     [](const CycleModel* chip) { return chip->status() != RunStatus::running; });
}

}  // namespace tandem
