#include "runtime/models/result_text.hpp"

#include <fmt/format.h>

#include "isa/text/text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem {
std::string pc_text(const Image& image, std::uint32_t pc) {
  const std::string location = source_location(image, pc);
  return fmt::format("PC {}{}", pc, location.empty() ? "" : " (" + location + ")");
}

std::string pc_text(const Image& image, std::uint32_t pc, Slot slot) {
  const std::string location = source_location(image, pc, slot);
  return fmt::format("PC {}{}", pc, location.empty() ? "" : " (" + location + ")");
}

std::string bundle_line(const Image& image, std::uint32_t pc) {
  if (pc >= image.text.size()) return {};
  const auto label_of = [&image](std::uint32_t target) { return label_at(image, target); };
  return fmt::format("  {}\n", bundle_text(image.text[pc], label_of));
}

namespace {

std::string finding_text(const Finding& finding, const Image& image) {
  std::string text =
      fmt::format("{} at {}: {}\n{}", finding_name(finding.kind), pc_text(image, finding.pc),
                  finding.message, bundle_line(image, finding.pc));
  if (finding.origin_pc) {
    text += fmt::format("it comes from {}\n{}", pc_text(image, *finding.origin_pc),
                        bundle_line(image, *finding.origin_pc));
  }
  return text;
}

std::string how_much(const Runner& runner, const RunResult& result) {
  std::string text = fmt::format("{} bundles", runner.bundles());
  if (runner.cycles() != 0) text += fmt::format(", {} cycles", runner.cycles());
  text += fmt::format(", {:.3g} s", result.seconds);
  if (runner.cycles() != 0 && result.seconds > 0) {
    text += fmt::format(" ({:.4g} kcycles/s)",
                        static_cast<double>(runner.cycles()) / 1e3 / result.seconds);
  }
  return text;
}

// Lockstep reports what it compared: a verdict without evidence is worthless.
std::string how_well(const Runner& runner) {
  if (runner.events() == 0) return "";
  std::string text = fmt::format("no difference in {} events", runner.events());
  if (runner.volatile_reads() != 0) {
    text += fmt::format(" ({} counter values taken from {})", runner.volatile_reads(),
                        runner.compared());
  }
  return text + ", ";
}

}  // namespace

std::string result_text(const Runner& runner, const RunResult& result, const Image& image) {
  switch (result.outcome) {
    case Outcome::running:
      if (result.interrupted) {
        return fmt::format("interrupted after {}, at {}\n", how_much(runner, result),
                           pc_text(image, runner.pc()));
      }
      return fmt::format("limit reached: no end after {} steps ({}), now at {}; see --limit\n",
                         result.limit, how_much(runner, result), pc_text(image, runner.pc()));
    case Outcome::halted:
      return fmt::format("halted: {}{}\n", how_well(runner), how_much(runner, result));
    case Outcome::trapped:
      return fmt::format("trap at {}: {}\n{}after {}{}\n",
                         pc_text(image, runner.pc(), runner.trap().slot), trap_text(runner.trap()),
                         runner.trap_note() + bundle_line(image, runner.pc()), how_well(runner),
                         how_much(runner, result));
    case Outcome::race:
    case Outcome::uninitialised:
    case Outcome::lifetime:
      return fmt::format("{}after {}\n", finding_text(*runner.finding(), image),
                         how_much(runner, result));
    case Outcome::mismatch:
    case Outcome::no_retirement: return runner.explanation();
    case Outcome::machine_check: return "machine check: the RTL reports a bus error\n";
    case Outcome::deadlock: return "deadlock: no chip of the group can go on\n";
  }
  __builtin_unreachable();
}

}  // namespace tandem
