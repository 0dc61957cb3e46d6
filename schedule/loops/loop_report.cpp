#include "schedule/loops/loop_report.hpp"

#include <fmt/format.h>

namespace tandem::schedule {
namespace {

std::string bound_text(const LoopReport& report, const TagText& place) {
  if (!report.bounds.by_recurrence()) return std::string(report.bounds.busiest);
  std::string text = "what goes round";
  for (std::size_t i = 0; i < report.round.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? ": " : ", ", place(report.round[i]));
  }
  return text;
}

std::string registers_text(const LoopReport& report) {
  std::string text;
  for (std::size_t f = 0; f < file_count; ++f) {
    if (report.registers[f] == 0) continue;
    text += fmt::format(" {} {}", report.registers[f], file_letter(static_cast<File>(f)));
  }
  return text.empty() ? text : ", registers" + text;
}

std::string refused_text(const LoopReport& report, const TagText& place) {
  std::string text = "not pipelined: ";
  text += report.reason.empty() ? "not asked for" : report.reason;
  if (report.culprit != no_tag) text += fmt::format(" ({})", place(report.culprit));
  if (!report.bounds.is_known()) return text;
  return text +
         fmt::format("; at least {} ({})", report.bounds.minimum(), bound_text(report, place));
}

}  // namespace

std::string loop_text(const LoopReport& report, const TagText& place) {
  if (!report.pipelined) return refused_text(report, place);
  return fmt::format("interval {} of at least {} ({}), {} stage{}, unrolled {}, {} bundles{}",
                     report.interval, report.bounds.minimum(), bound_text(report, place),
                     report.stages, report.stages == 1 ? "" : "s", report.unrolled, report.bundles,
                     registers_text(report));
}

}  // namespace tandem::schedule
