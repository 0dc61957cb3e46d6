// A difference in time as one page for a person, and the same as JSON: the two models' events, the
// last bundles with their issue cycles on both and the cycles lost before, and the copies in flight
// then.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cosim/lockstep/timing_comparison.hpp"
#include "cosim/reports/mismatch_report.hpp"

namespace tandem {

// One bundle on both sides, unless one has not issued it (yet).
struct TimedBundle {
  std::uint64_t sequence = 0;
  std::optional<BundleTiming> expected;
  std::optional<BundleTiming> got;
};

struct TimingReport {
  Mismatch mismatch;
  ReportContext context;
  std::vector<TimedBundle> last_bundles;  // up to 32, oldest first
  std::vector<CopyTiming> expected_copies;
  std::vector<CopyTiming> got_copies;
};

// `comparison` has a difference and outlives the report.
TimingReport make_timing_report(const TimingComparison& comparison, const ReportContext& context);
std::string timing_report_text(const TimingReport& report);
nlohmann::json timing_report_json(const TimingReport& report);

}  // namespace tandem
