#include "sim/events/timing_order.hpp"

#include <algorithm>
#include <utility>

namespace tandem {
namespace {

// Takes the words from `rest` that begin before a cycle, bundles when they issue. When none is
// left, only its words are meaningful.
IssueRun take_before(IssueRun& rest, std::uint64_t before) {
  if (rest.end <= before && !rest.trap) return std::exchange(rest, {});
  IssueRun taken = rest;
  std::size_t count = 0;
  for (; count < taken.words.size(); ++count) {
    const IssueWord& word = taken.words[count];
    const std::uint64_t begin = rest.cycle + (word.is_bundle() ? word.lost() : 0);
    if (begin >= before) break;
    rest.cycle += word.cycles();
    if (word.is_bundle()) ++rest.sequence;
  }
  rest.words = taken.words.subspan(count);
  if (rest.words.empty()) return taken;
  const auto next = std::find_if(rest.words.begin(), rest.words.end(),
                                 [](const IssueWord& word) { return word.is_bundle(); });
  // After the last bundle there may be only lost cycles.
  if (next != rest.words.end()) {
    taken.next_pc = next->pc();
    taken.halted = false;
    taken.trap = {};
  }
  taken.end = rest.cycle;
  taken.words = taken.words.first(count);
  return taken;
}

}  // namespace

void OrderedTiming::pass_runs(std::uint64_t before) {
  while (passed_ < log_.runs() && rest_.cycle < before) {
    const IssueRun run = take_before(rest_, before);
    if (!run.words.empty()) next_.issue_run(run);
    if (!rest_.words.empty()) return;
    if (++passed_ < log_.runs()) rest_ = log_.run(passed_);
  }
}

void OrderedTiming::pass_issue_side(std::uint64_t before) {
  while (starts_.cycle() < before) {
    pass_runs(starts_.cycle());
    next_.copy_started(starts_.take());
  }
  pass_runs(before);
}

// Not in order with issues: cutting runs at beats would take longer than everything else here.
void OrderedTiming::pass_beats(std::uint64_t before) {
  for (auto& path : beats_) {
    while (path.cycle() < before) next_.beats(path.take());
    path.drop_taken();
  }
}

void OrderedTiming::pass(std::uint64_t cycle) {
  passed_ = 0;
  if (log_.runs() != 0) rest_ = log_.run(0);
  pass_beats(cycle);
  while (dones_.cycle() < cycle) {
    pass_issue_side(dones_.cycle() + 1);
    next_.copy_done(dones_.take());
  }
  pass_issue_side(cycle);
  log_.drop(passed_, rest_);
  starts_.drop_taken();
  dones_.drop_taken();
}

void OrderedTiming::progress(std::uint64_t cycle) {
  const std::uint64_t complete = log_.complete(cycle);
  pass(complete);
  next_.progress(complete);
}

void OrderedTiming::ended(std::uint64_t cycles) {
  log_.close();
  pass(never);
  next_.ended(cycles);
}

}  // namespace tandem
