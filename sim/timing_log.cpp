#include "sim/timing_log.hpp"

#include <utility>

namespace tandem {

void TimingLog::keep_lost() {
  if (lost_ == 0) return;
  losses_.push_back({cycle_ - lost_, lost_, cause_});
  entries_.push_back({.kind = Kind::loss});
  lost_ = 0;
}

void TimingLog::keep(const LostCycles& event) {
  keep_lost();
  losses_.push_back(event);
  entries_.push_back({.kind = Kind::loss});
  cycle_ = event.first + event.count;
}

void TimingLog::keep(const IssueTiming& event) {
  keep_lost();
  issues_.push_back(event);
  entries_.push_back({.kind = Kind::issue});
  cycle_ = event.cycle + 1;
  sequence_ = event.sequence + 1;
}

void TimingLog::replay(TimingSink& sink) {
  keep_lost();
  auto issue = issues_.begin();
  auto loss = losses_.begin();
  std::uint64_t cycle = 0;
  std::uint64_t sequence = 0;
  for (const Entry& entry : entries_) {
    switch (entry.kind) {
      case Kind::bundle:
        if (entry.lost != 0) sink.lost({cycle, entry.lost, entry.cause});
        cycle += entry.lost;
        sink.issued({cycle++, sequence++, entry.pc, entry.next_pc, entry.enabled});
        break;
      case Kind::issue:
        cycle = issue->cycle + 1;
        sequence = issue->sequence + 1;
        sink.issued(*issue++);
        break;
      case Kind::loss:
        cycle = loss->first + loss->count;
        sink.lost(*loss++);
        break;
    }
  }
}

void TimingLog::clear() {
  entries_.clear();
  issues_.clear();
  losses_.clear();
  cycle_ = never;
  sequence_ = 0;
  lost_ = 0;
}

}  // namespace tandem
