#include "cli/debug/breakpoints.hpp"

#include <algorithm>
#include <utility>

#include "cli/debug/language/evaluate.hpp"

namespace tandem::debug {

int Breakpoints::add(Breakpoint breakpoint) {
  breakpoint.number = ++last_number_;
  breakpoints_.push_back(std::move(breakpoint));
  mark_all();
  return last_number_;
}

bool Breakpoints::remove(int number) {
  const auto removed = std::erase_if(
      breakpoints_, [number](const Breakpoint& item) { return item.number == number; });
  mark_all();
  return removed != 0;
}

bool Breakpoints::enable(int number, bool enabled) {
  Breakpoint* const found = find_mutable(number);
  if (found == nullptr) return false;
  found->enabled = enabled;
  mark_all();
  return true;
}

void Breakpoints::clear() {
  breakpoints_.clear();
  mark_all();
}

void Breakpoints::count_hit(int number) {
  Breakpoint* const found = find_mutable(number);
  if (found == nullptr) return;
  ++found->hits;
  if (found->temporary) remove(number);
}

Breakpoint* Breakpoints::find_mutable(int number) {
  const auto found =
      std::find_if(breakpoints_.begin(), breakpoints_.end(),
                   [number](const Breakpoint& item) { return item.number == number; });
  return found == breakpoints_.end() ? nullptr : &*found;
}

const Breakpoint* Breakpoints::find(int number) const {
  return const_cast<Breakpoints*>(this)->find_mutable(number);
}

void Breakpoints::mark_all() {
  std::fill(marks_.begin(), marks_.end(), std::uint8_t{0});
  for (const Breakpoint& breakpoint : breakpoints_) {
    if (breakpoint.enabled) mark(breakpoint);
  }
}

// Only bundles that can write watched places, or operands of a condition, are examined: the others
// run at full speed.
void Breakpoints::mark(const Breakpoint& breakpoint) {
  for (const std::uint32_t pc : breakpoint.pcs) marks_[pc] |= mark_stop;
  if (breakpoint.kind == Breakpoint::Kind::location) return;
  std::vector<Area> areas;
  bool always = false;
  if (breakpoint.kind == Breakpoint::Kind::condition) {
    for (const Expression* part : parts_of(*breakpoint.condition))
      areas.push_back(part->whole.area);
    always = uses_variables(*breakpoint.condition);
  }
  for (std::size_t pc = 0; pc < marks_.size(); ++pc) {
    const Bundle& bundle = image_.text[pc];
    const bool writes =
        always || (breakpoint.places && may_write(bundle, *breakpoint.places, *image_.preset)) ||
        std::any_of(areas.begin(), areas.end(), [&](Area area) { return may_write(bundle, area); });
    if (writes) marks_[pc] |= mark_record;
  }
}

}  // namespace tandem::debug
