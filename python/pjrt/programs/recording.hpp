// Recording of runs, for `with tandem.profile(...)`: of each program the first run is saved, as
// failed runs are, and all of its runs are counted.
#pragma once

#include <span>

#include "python/pjrt/programs/compiled_program.hpp"
#include "runtime/device/device.hpp"

namespace tandem::pjrt {

// Before each run, in the device's thread.
void record_run(const CompiledProgram& program, std::span<const runtime::TensorHandle> arguments,
                runtime::Device& device);

}  // namespace tandem::pjrt

// From now on runs are recorded below `folder`, a subfolder a program; "" ends it, and `counts.txt`
// there then has the program's subfolder and the number of its runs, a line each. Returns 0, or 1
// when something could not be written. Called by the Python package, by name.
extern "C" __attribute__((visibility("default"))) int tandem_record_runs(const char* folder);
