// The stream of timing events that CycleModel gives (sim/timing_events.hpp), and its order.
#include <algorithm>

#include "sim/cycle_time.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t progress_interval = 256;  // bundles

}  // namespace

void CycleModel::Time::extend_run(StallCause cause, std::uint64_t end) {
  if (run.count != 0 && run.cause != cause) give_run();
  if (run.count == 0) run = {cursor, 0, cause};
  run.count += end - cursor;
}

void CycleModel::Time::give_run() {
  if (run.count != 0) sink->lost(run);
  run.count = 0;
}

void CycleModel::Time::give_issue(const golden::Core& core, std::uint16_t enabled,
                                  const Trap* trap) {
  give_run();
  IssueTiming event;
  event.cycle = decided;
  event.sequence = core.bundles;
  event.pc = core.pc;
  event.next_pc = trap != nullptr ? core.pc : core.next_pc;
  event.enabled = enabled;
  event.halted = core.halting && trap == nullptr;
  if (trap != nullptr) event.trap = *trap;
  sink->issued(event);
  if (core.bundles % progress_interval == 0) give_progress();
}

void CycleModel::Time::give_marker(const golden::Core& core, const IssuePlan& plan) {
  sink->marked({decided, core.bundles, core.pc, plan.sa.value, counters(core.next_pc)});
}

void CycleModel::Time::give_progress() {
  const std::uint64_t open = run.count != 0 ? run.first : decided;
  sink->progress(std::min(memory.give_events(decided), open));
}

void CycleModel::Time::give_end() {
  give_run();
  memory.give_all_events(cursor);
  sink->progress(cursor);
  sink->ended(cursor);
}

}  // namespace tandem
