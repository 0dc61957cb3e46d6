#include "sim/events/timing_events.hpp"

#include <algorithm>

namespace tandem {

void TimingSink::issue_run(const IssueRun& run) {
  std::uint64_t cycle = run.cycle;
  std::uint64_t sequence = run.sequence;
  for (auto word = run.words.begin(); word != run.words.end(); ++word) {
    if (word->lost() != 0) lost({cycle, word->lost(), word->cause()});
    cycle += word->lost();
    if (!word->is_bundle()) continue;
    IssueTiming issue{cycle++, sequence++, word->pc(), run.next_pc, word->enabled(), false, {}};
    const auto next = std::find_if(word + 1, run.words.end(),
                                   [](const IssueWord& other) { return other.is_bundle(); });
    if (next != run.words.end()) {
      issue.next_pc = next->pc();
    } else {
      issue.halted = run.halted;
      issue.trap = run.trap;
    }
    issued(issue);
  }
}

}  // namespace tandem
