#include "sim/events/timing_events.hpp"

namespace tandem {

void TimingSink::issue_run(const IssueRun& run) { give_singly(run, *this); }

}  // namespace tandem
