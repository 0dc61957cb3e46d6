#include "runtime/group/group_text.hpp"

#include <fmt/format.h>

#include "runtime/device/launch_result.hpp"
#include "runtime/models/listing.hpp"

namespace tandem::runtime {
namespace {

using Runs = std::vector<std::unique_ptr<Run>>;

std::string senders_text(const GroupWait& wait) {
  std::string text;
  for (std::uint32_t chip = 0; chip < wait.received.size(); ++chip) {
    if (wait.received[chip] == 0) continue;
    text +=
        fmt::format("{}chip {} has added {}", text.empty() ? "" : ", ", chip, wait.received[chip]);
  }
  return text.empty() ? "no other chip has added to it" : text;
}

// The position of a chip that did not end by itself, or that it has halted.
std::string standing_text(const GroupDriver& group, std::uint32_t chip, const Run& run) {
  const Runner& runner = run.runner();
  const std::uint32_t pc = runner.pc();
  if (const auto wait = group.wait_of(chip)) {
    return fmt::format(
        "chip {} waits at {}: f{} holds {}, the wait wants {}; {}\n{}", chip,
        pc_text(run.image(), pc, Slot::dma), wait->flag, static_cast<std::int32_t>(wait->held),
        static_cast<std::int32_t>(wait->wanted), senders_text(*wait), bundle_line(run.image(), pc));
  }
  if (group.has_halted(chip)) {
    return fmt::format("chip {} has halted after {} bundles\n", chip, runner.bundles());
  }
  return fmt::format("chip {} was stopped at {} after {} bundles\n", chip, pc_text(run.image(), pc),
                     runner.bundles());
}

std::string standing_text(const GroupDriver& group, const Runs& runs,
                          std::optional<std::uint32_t> but) {
  std::string text;
  for (std::uint32_t chip = 0; chip < runs.size(); ++chip) {
    if (chip != but) text += standing_text(group, chip, *runs[chip]);
  }
  return text;
}

std::string unwritten_texts(const std::vector<LaunchResult>& chips) {
  std::string text;
  for (std::size_t chip = 0; chip < chips.size(); ++chip) {
    for (const UnwrittenOutput& output : chips[chip].unwritten) {
      text += fmt::format("chip {}: {}\n", chip, unwritten_text(output));
    }
  }
  return text;
}

std::string how_it_ended(const GroupDriver& group, const Runs& runs, const GroupResult& result,
                         const RunResult& run) {
  if (result.chip) {
    return fmt::format("chip {}: {}{}", *result.chip, result.chips[*result.chip].report,
                       standing_text(group, runs, result.chip));
  }
  if (result.outcome == Outcome::halted) return unwritten_texts(result.chips);
  const std::string all = standing_text(group, runs, std::nullopt);
  if (result.outcome == Outcome::deadlock) {
    return "deadlock: no chip of the group can go on\n" + all;
  }
  return (run.interrupted ? std::string("interrupted\n")
                          : fmt::format("limit reached: no end after {} {} of a chip\n", run.limit,
                                        runs[0]->runner().cycles() == 0 ? "bundles" : "cycles")) +
         all;
}

}  // namespace

GroupResult group_result(const GroupDriver& group, const Runs& runs, const RunResult& run) {
  GroupResult result;
  result.outcome = run.outcome;
  result.chip = group.ended_by();
  for (std::uint32_t chip = 0; chip < runs.size(); ++chip) {
    const Runner& runner = runs[chip]->runner();
    RunResult of_chip = run;
    if (run.outcome != Outcome::halted && result.chip != chip) of_chip.outcome = Outcome::running;
    result.chips.push_back(result_of(runner, of_chip, runs[chip]->image()));
  }
  result.report = how_it_ended(group, runs, result, run);
  return result;
}

}  // namespace tandem::runtime
