// Coverage for other tools: as UCIS XML, the interchange format of simulators, and for lcov.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cosim/coverage/coverage_file.hpp"

namespace tandem {

// A covergroup for each group, a coverpoint for each of the things that its bins begin with
// ("vadd.f32"), and bins; those that nothing can reach are bins to be ignored. `tests`: the files
// that were added up. `time`: as "2026-11-30T12:00:00".
std::string ucis_xml(const BinCounts& counts, const std::vector<std::string>& tests,
                     const std::string& time);

// lcov knows lines of files, so each group is a file in `folder` with a line for each bin that can
// be reached.
struct LcovFiles {
  std::string tracefile;
  std::map<std::string, std::string> lists;  // by name of the file: its text
};
LcovFiles lcov_files(const BinCounts& counts, const std::string& folder);

}  // namespace tandem
