// The stream of timing events that CycleModel produces (sim/events/timing_events.hpp), and its
// order.
#include <algorithm>

#include "sim/time/cycle_time.hpp"

namespace tandem {

void CycleModel::Time::log_run() {
  if (run.count == 0) return;
  if (words.empty()) words_from = run.first;
  words.push_back(IssueWord::loss(run.count, run.cause));
  ++losses_alone;
  run.count = 0;
}

void CycleModel::Time::give_run(std::uint64_t behind, IssueRun given) {
  given.cycle = words_from;
  given.end = run.count != 0 ? run.first : cursor;
  given.sequence = behind - (words.size() - losses_alone);
  given.words = words;
  sink->issue_run(given);
  words.clear();
  losses_alone = 0;
}

// A trap is decided in the first of the cycles that it drains.
void CycleModel::Time::trap(const golden::Core& core) {
  if (sink == nullptr) return;
  log_issue(core, plans.enabled(core.pc, core.state.predicates.data()));
  give_run(core.bundles + 1, {.next_pc = core.trap ? core.pc : core.next_pc,
                              .halted = core.halting && !core.trap,
                              .trap = core.trap});
}

void CycleModel::Time::give_marker(const golden::Core& core, const IssuePlan& plan) {
  sink->marked({decided, core.bundles, core.pc, plan.sa.value, counters(core.next_pc)});
}

// The bundle has issued.
void CycleModel::Time::give_progress(const golden::Core& core) {
  give_run(core.bundles + 1, {.next_pc = core.next_pc, .halted = core.halting});
  sink->progress(std::min(memory.give_events(decided), decided));
}

void CycleModel::Time::give_end() {
  log_run();
  if (!words.empty()) give_run(0, {});
  memory.give_all_events(cursor);
  sink->progress(cursor);
  sink->ended(cursor);
}

}  // namespace tandem
