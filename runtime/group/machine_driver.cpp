#include "runtime/group/machine_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/device/messages.hpp"

namespace tandem::runtime {
namespace {

// After the end: cycles in which a machine reports its last events.
constexpr std::uint64_t last_cycles = 64;

}  // namespace

MachineDriver::MachineDriver(std::span<Device* const> devices,
                             const std::vector<std::unique_ptr<Run>>& runs)
    : links_(static_cast<std::uint32_t>(devices.size()), devices[0]->options().machine.memory),
      window_(devices[0]->options().machine.memory.link_latency - 1),
      outcomes_(devices.size(), Outcome::running) {
  for (std::size_t chip = 0; chip < devices.size(); ++chip) {
    chips_.push_back(
        {&runs[chip]->runner(), devices[chip]->machines(), devices[chip]->golden_beside()});
  }
  std::vector<GoldenModel*> beside;
  std::vector<GoldenModel*> inside;
  for (const Chip& chip : chips_) {
    if (chip.golden != nullptr) beside.push_back(chip.golden);
    for (Machine* machine : chip.machines) {
      if (!machine->tie(links_)) {
        throw Error{ErrorCode::invalid_argument,
                    fmt::format(message::group_without_links, machine->name())};
      }
      if (machine->cycle_model() != nullptr) inside.push_back(&machine->cycle_model()->golden());
    }
  }
  if (!beside.empty()) golden_.emplace(std::move(beside));
  if (!inside.empty()) timed_.emplace(std::move(inside));
}

GroupStatus MachineDriver::run(std::uint64_t steps) {
  for (std::uint64_t done = 0; done < steps && status_ == GroupStatus::running; done += window_) {
    run_window();
  }
  return status_;
}

void MachineDriver::run_window() {
  for (std::uint32_t chip = 0; chip < chips_.size(); ++chip) {
    outcomes_[chip] = chips_[chip].runner->advance(window_);
    look(chip);
  }
  if (ended_by_) {
    status_ = GroupStatus::ended;
  } else if (links_.quiet() && all_still()) {
    if (!any_runs()) return finish();
    const bool stands = std::exchange(bundles_, bundles()) == bundles();
    if (!stands) return;
    status_ = golden_ ? golden_->run(1) : GroupStatus::deadlocked;
  }
}

// A trap ends the group immediately, and so does a difference.
void MachineDriver::look(std::uint32_t chip) {
  if (ended_by_) return;
  Machine& machine = *chips_[chip].machines.front();
  if (outcomes_[chip] == Outcome::running && !machine.program_runs()) {
    const MachineStatus status = machine.status();
    if (status.machine_check) outcomes_[chip] = Outcome::machine_check;
    if (status.trapped) outcomes_[chip] = Outcome::trapped;
  }
  if (outcomes_[chip] == Outcome::running) return;
  ended_by_ = chip;
  if (chips_[chip].golden != nullptr) return;
  links_.over = true;  // so that the machine stops and reports
  outcomes_[chip] = chips_[chip].runner->advance(last_cycles);
}

// All have halted and nothing is in flight: each is checked once more, like a machine alone.
void MachineDriver::finish() {
  links_.over = true;
  status_ = GroupStatus::halted;
  for (std::uint32_t chip = 0; chip < chips_.size(); ++chip) {
    outcomes_[chip] = chips_[chip].runner->advance(last_cycles);
    if (outcomes_[chip] == Outcome::halted || ended_by_) continue;
    ended_by_ = chip;
    status_ = GroupStatus::ended;
  }
}

bool MachineDriver::has_halted(std::uint32_t chip) const {
  return !chips_[chip].machines.front()->program_runs() && ended_by_ != chip;
}

std::optional<GroupWait> MachineDriver::wait_of(std::uint32_t chip) const {
  return golden_ ? golden_->wait_of(chip) : std::nullopt;
}

bool MachineDriver::all_still() const {
  return std::all_of(chips_.begin(), chips_.end(), [](const Chip& chip) {
    return std::all_of(chip.machines.begin(), chip.machines.end(),
                       [](const Machine* machine) { return machine->still(); });
  });
}

bool MachineDriver::any_runs() const {
  return std::any_of(chips_.begin(), chips_.end(),
                     [](const Chip& chip) { return chip.machines.front()->program_runs(); });
}

std::uint64_t MachineDriver::bundles() const {
  std::uint64_t sum = 0;
  for (const Chip& chip : chips_) sum += chip.machines.front()->bundles();
  return sum;
}

}  // namespace tandem::runtime
