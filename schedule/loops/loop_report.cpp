#include "schedule/loops/loop_report.hpp"

#include <fmt/format.h>

namespace tandem::schedule {

std::string loop_text(const LoopReport& report) {
  const LoopBounds& bounds = report.bounds;
  const std::string_view bound =
      bounds.recurrence > bounds.resources ? "what goes round" : bounds.busiest;
  if (!report.pipelined) {
    const std::string least =
        bounds.busiest.empty() ? "" : fmt::format("; at least {} ({})", bounds.minimum(), bound);
    return fmt::format("not pipelined: {}{}",
                       report.reason.empty() ? "not asked for" : report.reason, least);
  }
  return fmt::format("interval {} of at least {} ({}), {} stage{}, unrolled {}, {} bundles",
                     report.interval, bounds.minimum(), bound, report.stages,
                     report.stages == 1 ? "" : "s", report.unrolled, report.bundles);
}

}  // namespace tandem::schedule
