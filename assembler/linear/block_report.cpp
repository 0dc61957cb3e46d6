#include "assembler/linear/block_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/instructions.hpp"

namespace tandem {
namespace {

std::string place_text(const SourceSpan& place, const SourceSpan& beside) {
  if (place.file == beside.file) return fmt::format("line {}", place.line);
  return fmt::format("{}:{}", place.file, place.line);
}

std::string spills_text(const schedule::Spills& spills) {
  if (spills.constants + spills.scalars + spills.vectors == 0) return "no spills";
  return fmt::format("spills: {} constants made anew, {} words, {} slots of rows", spills.constants,
                     spills.scalars, spills.vectors);
}

std::string slots_text(const BlockReport& report) {
  std::string text;
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (report.slots[slot] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", slot_layouts[slot].name,
                        report.slots[slot]);
  }
  return text;
}

std::string cycles_text(const BlockReport& report) {
  return report.cycles == 0 ? "" : fmt::format(", {} cycles", report.cycles);
}

}  // namespace

std::string loop_text(const PlacedLoop& placed) {
  // The tags of these operations are in text order.
  const auto place = [&](std::uint32_t tag) {
    if (placed.culprit && tag == placed.loop.culprit) {
      return place_text(*placed.culprit, placed.branch);
    }
    const std::vector<std::uint32_t>& round = placed.loop.round;
    const auto at =
        static_cast<std::size_t>(std::find(round.begin(), round.end(), tag) - round.begin());
    return place_text(placed.round.at(at), placed.branch);
  };
  return schedule::loop_text(placed.loop, place);
}

std::string block_text(const BlockReport& report) {
  const SourceSpan& at = report.opened;
  std::string text = fmt::format("{}:{}: {}: {} operations in {} bundles{} ({}), {}\n", at.file,
                                 at.line, report.name.empty() ? "linear block" : report.name,
                                 report.operations, report.bundles, cycles_text(report),
                                 slots_text(report), spills_text(report.spills));
  for (const SourceSpan& branch : report.predicated) {
    text += fmt::format("  {}:{}: has become a predicate\n", branch.file, branch.line);
  }
  for (const PlacedLoop& loop : report.loops) {
    text += fmt::format("  {}:{}: {}\n", loop.branch.file, loop.branch.line, loop_text(loop));
  }
  return text;
}

}  // namespace tandem
