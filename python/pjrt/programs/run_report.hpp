// The report to the user of a run that failed.
#pragma once

#include <span>
#include <string>

#include "python/pjrt/core/status.hpp"
#include "python/pjrt/programs/compiled_program.hpp"
#include "python/pjrt/programs/saved_run.hpp"
#include "runtime/device/device.hpp"

namespace tandem::pjrt {

std::string shape_text(const Shape& shape);  // "f32[2,3]"

struct FailedRun {
  const CompiledProgram& program;
  const std::string& save;               // folder; "": nothing is saved
  std::span<const ChipArguments> chips;  // one, or those of a group
};

// The report, and the command that repeats the run without Python: complete when program and
// arguments could be saved, else with the option that saves them.
Status failed_run(const runtime::LaunchResult& result, const FailedRun& run,
                  runtime::Device& device);

}  // namespace tandem::pjrt
