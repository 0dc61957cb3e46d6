#include "python/pjrt/programs/run_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "python/pjrt/devices/device.hpp"
#include "python/pjrt/programs/saved_run.hpp"

namespace tandem::pjrt {
namespace {

std::string how_to_repeat(const FailedRun& run) {
  if (run.save.empty()) {
    return "to repeat the run without Python: set TANDEM_SAVE to a folder, which then gets the "
           "program, its arguments and the command";
  }
  try {
    return "to repeat the run without Python:\n  " +
           save_run(folder_for_run(run.save), run.program, run.chips);
  } catch (const Failure& failure) {
    return "the run could not be saved: " + failure.status.message;
  }
}

}  // namespace

std::string shape_text(const Shape& shape) {
  return fmt::format("{}[{}]", element_name(shape.type), fmt::join(shape.dimensions, ","));
}

Status failed_run(const runtime::LaunchResult& result, const FailedRun& run,
                  runtime::Device& device) {
  if (result.outcome == Outcome::running) {
    return {PJRT_Error_Code_CANCELLED, "the run was interrupted"};
  }
  return {
      PJRT_Error_Code_INTERNAL,
      fmt::format("the program ended on {} with: {}\n{}\n{}", model_name(device.options().model),
                  outcome_name(result.outcome), result.report, how_to_repeat(run))};
}

}  // namespace tandem::pjrt
