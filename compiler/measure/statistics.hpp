// The output of tandem-compile --stats: for each fused region its operations, the bytes it moves,
// its bound, and its cycles as predicted by the cost model and as measured by the cycle-exact
// model.
#pragma once

#include "compiler/driver/driver.hpp"
#include "compiler/measure/run.hpp"

namespace tandem::compiler {

enum class Form : std::uint8_t { text, json };

// The output is the table, or as JSON
//   {"preset", "inputs": "random" | "given", "cycles": {"measured", "predicted"}, "rest":
//    {"measured", "predicted"}, "unknown_loops", "useful": {"roof", "bound", "busy", "lines", ...},
//    "regions": [{..., "measured", "roof", "useful"}]}
// with the regions as costs_json() has them, in order of the program, their roofs as
// add_useful_work() has them, and "useful" as useful_work_json() has it, without its sources.
Outcome statistics(Job job, const InputFiles& inputs, Form form);

}  // namespace tandem::compiler
