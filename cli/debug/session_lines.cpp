// Moves by source line and by function.
#include <algorithm>
#include <vector>

#include "cli/debug/session.hpp"
#include "isa/encoding.hpp"
#include "isa/golden/decode.hpp"

namespace tandem::debug {
namespace {

constexpr std::size_t stack_register = 2;  // by convention (docs/reference.md)

Control control_of(const Bundle& bundle) {
  const auto operation = decode(Slot::sa, slot_bits(bundle, Slot::sa));
  return operation ? effects_of(*operation).control : Control::none;
}

}  // namespace

// Whether the current bundle continues like this.
bool Session::executes(Control control) const {
  const std::vector<Bundle>& text = launch_.image->text;
  if (timeline_.at_end() || golden().pc() >= text.size()) return false;
  const Bundle& bundle = text[golden().pc()];
  const auto enabled = golden::enabled_slots(bundle, golden().state().predicates.data());
  return (enabled >> static_cast<unsigned>(Slot::sa) & 1U) != 0 && control_of(bundle) == control;
}

SourceLine Session::line_here(bool over) const {
  return over ? source_.outermost(golden().pc()) : source_.line(golden().pc());
}

// Recursion reaches the same return address with another stack.
Stop Session::step_over_call() {
  const std::uint32_t back = golden().pc() + 1;
  if (back >= launch_.image->text.size()) return step(1);
  const Until until{{back}, golden().state().scalars[stack_register]};
  return run(&until);
}

// A line ends where another begins or the program jumps back, so that a loop in one line takes one
// step per iteration.
Stop Session::step_line(bool over) {
  const SourceLine line = line_here(over);
  std::uint32_t last = golden().pc();
  while (true) {
    const Stop stop = over && executes(Control::call) ? step_over_call() : step(1);
    if (stop.reason != StopReason::done) return stop;
    const std::uint32_t pc = golden().pc();
    if (!line || line_here(over) != line || pc <= last) return stop;
    last = pc;
  }
}

void Session::to_start_of_line(bool over) {
  constexpr std::uint64_t window = 4096;
  const SourceLine line = line_here(over);
  while (line && timeline_.position() != 0) {
    const std::uint64_t here = timeline_.position();
    const std::uint64_t first = here - std::min(here, window);
    timeline_.move_to(first);
    std::vector<std::uint32_t> pcs;  // of positions first, first + 1, ...
    while (timeline_.position() < here) {
      pcs.push_back(golden().pc());
      timeline_.step(nullptr);
    }
    std::uint32_t after = golden().pc();
    std::size_t start = pcs.size();
    while (start != 0) {
      const std::uint32_t pc = pcs[start - 1];
      if ((over ? source_.outermost(pc) : source_.line(pc)) != line || pc >= after) break;
      after = pc;
      --start;
    }
    timeline_.move_to(first + start);
    if (start != 0) return;
  }
}

Stop Session::reverse_step_line(bool over) {
  const std::uint32_t from = golden().pc();
  const std::uint32_t stack = golden().state().scalars[stack_register];
  const Stop stop = reverse_step(1);
  if (stop.reason != StopReason::done) return stop;
  const std::vector<Bundle>& text = launch_.image->text;
  const bool returned = over && executes(Control::ret) && from != 0 && from <= text.size() &&
                        control_of(text[from - 1]) == Control::call;
  if (returned) {
    const Until until{{from - 1}, stack};
    const Stop called = reverse_run(&until);
    if (called.reason != StopReason::done) return called;
  }
  to_start_of_line(over);
  return {};
}

Stop Session::finish() {
  const std::vector<Bundle>& text = launch_.image->text;
  Until until;
  for (std::uint32_t pc = 0; pc < text.size(); ++pc) {
    const Control control = control_of(text[pc]);
    if (control == Control::call || control == Control::ret) {
      until.pcs.push_back(pc);
    }
  }
  std::uint64_t depth = 0;
  while (true) {
    const bool returns = executes(Control::ret);
    if (returns && depth == 0) return step(1);
    if (returns) --depth;
    if (executes(Control::call)) ++depth;
    const Stop stop = run(&until);
    if (stop.reason != StopReason::done) return stop;
  }
}

}  // namespace tandem::debug
