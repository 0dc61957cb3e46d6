#include "cli/debug/monitor.hpp"

#include <algorithm>

#include "cli/messages/user_error.hpp"

namespace tandem::debug {

std::optional<Hit> Monitor::advance(std::uint64_t limit, const Until* until) {
  std::vector<std::uint8_t> with_until;
  if (until != nullptr) {
    with_until = breakpoints_.marks();
    for (const std::uint32_t pc : until->pcs) with_until[pc] |= mark_stop;
  }
  const std::vector<std::uint8_t>& marks = until != nullptr ? with_until : breakpoints_.marks();
  remember_conditions();
  const std::uint64_t start = timeline_.position();
  while (true) {
    if (interrupt_.load(std::memory_order_relaxed)) return Hit{0, true, {}};
    const std::uint32_t pc = timeline_.target().golden().pc();
    const bool at_end = timeline_.at_end();
    if (!at_end && timeline_.position() != start && (marks[pc] & mark_stop) != 0) {
      if (auto hit = before_bundle(until)) return hit;
    }
    if (at_end || timeline_.position() >= limit) return std::nullopt;
    if ((marks[pc] & mark_record) == 0) {
      timeline_.run(limit - timeline_.position(), marks);
      continue;
    }
    timeline_.step(&record_);
    if (auto hit = after_bundle()) return hit;
  }
}

std::optional<Hit> Monitor::before_bundle(const Until* until) const {
  const std::uint32_t pc = timeline_.target().golden().pc();
  const auto is_here = [pc](const std::vector<std::uint32_t>& pcs) {
    return std::find(pcs.begin(), pcs.end(), pc) != pcs.end();
  };
  for (const Breakpoint& breakpoint : breakpoints_.all()) {
    if (!breakpoint.enabled || !is_here(breakpoint.pcs)) continue;
    Hit hit{breakpoint.number, false, {}};
    if (condition_holds(breakpoint, hit.problem)) return hit;
  }
  if (until == nullptr || !is_here(until->pcs)) return std::nullopt;
  const std::uint32_t stack = timeline_.target().golden().state().scalars[2];
  if (until->stack && *until->stack != stack) return std::nullopt;
  return Hit{};
}

std::optional<Hit> Monitor::after_bundle() {
  std::optional<Hit> first;
  for (const Breakpoint& breakpoint : breakpoints_.all()) {
    if (!breakpoint.enabled || breakpoint.kind == Breakpoint::Kind::location) continue;
    Hit hit{breakpoint.number, false, {}};
    bool stops = false;
    if (breakpoint.kind == Breakpoint::Kind::watch) {
      stops = wrote(*breakpoint.places) && condition_holds(breakpoint, hit.problem);
    } else {
      bool& was_true = were_true_[breakpoint.number];
      const bool is_true = condition_holds(breakpoint, hit.problem);
      stops = is_true && !was_true;
      was_true = is_true;
    }
    if (stops && !first) first = hit;
  }
  return first;
}

void Monitor::remember_conditions() {
  were_true_.clear();
  for (const Breakpoint& breakpoint : breakpoints_.all()) {
    if (breakpoint.kind != Breakpoint::Kind::condition) continue;
    std::string ignored;
    were_true_[breakpoint.number] = condition_holds(breakpoint, ignored);
  }
}

// A condition without a value stops the program, so that the user notices.
bool Monitor::condition_holds(const Breakpoint& breakpoint, std::string& problem) const {
  if (!breakpoint.condition) return true;
  try {
    return holds(*breakpoint.condition, now());
  } catch (const UserError& error) {
    problem = error.message;
    return true;
  }
}

bool Monitor::wrote(const Places& places) const {
  bool found = false;
  for_each_write(record_, timeline_.target().golden().parameters(),
                 [&](Area area, const Span& span) {
                   found = found || (area == places.area() && places.overlaps(span));
                 });
  return found;
}

}  // namespace tandem::debug
