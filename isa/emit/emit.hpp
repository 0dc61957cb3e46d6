// Writers of the generated files. Each returns the whole text of one file; all are loops over the
// tables of isa/, so a file out of date is a file not regenerated.
#pragma once

#include <string>

namespace tandem::emit {

std::string verilog_package();      // rtl/packages/tpu_pkg.sv: constants and decode functions
std::string verilog_eup_package();  // rtl/packages/tpu_eup_tables_pkg.sv: coefficients
std::string cmake_presets();        // rtl/presets.cmake
std::string manual();               // docs/isa.md
std::string register_map();         // docs/registers.md
std::string machine_include();      // benchmarks/common/machine.inc
std::string counter_manual();       // docs/counters.md
std::string python_instructions();  // python/tandem/assembly/instructions.py
std::string python_machine();       // python/tandem/assembly/machine.py

}  // namespace tandem::emit
