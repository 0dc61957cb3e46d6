#include "isa/group/golden_group.hpp"

#include <algorithm>

#include "isa/golden/engine.hpp"
#include "isa/golden/group/clock.hpp"
#include "isa/golden/peers.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t turn = 4'000;  // bundles

}  // namespace

struct GoldenGroup::Links {
  golden::Peers peers;
  std::vector<golden::ChipTimes> times;  // by chip
};

GoldenGroup::GoldenGroup(std::vector<GoldenModel*> chips)
    : chips_(std::move(chips)), links_(std::make_unique<Links>()) {
  const std::uint32_t count = this->chips();
  for (std::uint32_t chip = 0; chip < count; ++chip) {
    links_->peers.cores.push_back(&chips_[chip]->engine().core);
    links_->times.emplace_back(chip, count);
  }
  golden::Peers::Received nothing;
  nothing.fill(std::vector<std::uint64_t>(count));
  links_->peers.received.assign(count, nothing);
  for (std::uint32_t chip = 0; chip < count; ++chip) {
    golden::Core& core = *links_->peers.cores[chip];
    core.peers = &links_->peers;
    core.races.join(&links_->times[chip]);
    // A chip whose entry is outside its text has trapped by now.
    if (chips_[chip]->status() == RunStatus::trapped && !ended_by_) ended_by_ = chip;
  }
}

GoldenGroup::~GoldenGroup() {
  for (golden::Core* core : links_->peers.cores) {
    core->races.join(nullptr);
    core->peers = nullptr;
  }
}

GroupStatus GoldenGroup::run(std::uint64_t bundles) {
  while (bundles != 0 && status() == GroupStatus::running) {
    const std::uint64_t now = std::min(bundles, turn);
    for (std::uint32_t chip = 0; chip < chips() && !ended_by_; ++chip) advance(chip, now);
    bundles -= now;
  }
  return status();
}

void GoldenGroup::advance(std::uint32_t chip, std::uint64_t bundles) {
  if (ended_by_ || !can_go_on(chip)) return;
  golden::Engine& engine = chips_[chip]->engine();
  if (engine.status == RunStatus::waiting) engine.status = RunStatus::running;
  const RunStatus status = chips_[chip]->run(bundles);
  if (status == RunStatus::trapped && engine.core.trap.cause == TrapCause::deadlock) {
    // The loop does not know of other chips: an unsatisfied wait ends it.
    engine.status = RunStatus::waiting;
    engine.core.trap = {};
  } else {
    note_end(chip);
  }
}

void GoldenGroup::note_end(std::uint32_t chip) {
  const RunStatus status = chips_[chip]->status();
  const bool ends_all = status == RunStatus::trapped || status == RunStatus::reported;
  if (ends_all && !ended_by_) ended_by_ = chip;
}

GroupStatus GoldenGroup::status() const {
  if (ended_by_) return GroupStatus::ended;
  bool waits = false;
  for (std::uint32_t chip = 0; chip < chips(); ++chip) {
    if (can_go_on(chip)) return GroupStatus::running;
    waits = waits || chips_[chip]->status() == RunStatus::waiting;
  }
  return waits ? GroupStatus::deadlocked : GroupStatus::halted;
}

bool GoldenGroup::can_go_on(std::uint32_t chip) const {
  if (const auto wait = wait_of(chip)) {
    return static_cast<std::int32_t>(wait->held - wait->wanted) >= 0;
  }
  return chips_[chip]->status() == RunStatus::running;
}

std::optional<GroupWait> GoldenGroup::wait_of(std::uint32_t chip) const {
  if (chips_[chip]->status() != RunStatus::waiting) return std::nullopt;
  const golden::Core& core = *links_->peers.cores[chip];
  return GroupWait{core.waits.flag, core.state.flags[core.waits.flag], core.waits.wanted,
                   links_->peers.received[chip][core.waits.flag]};
}

}  // namespace tandem
