// Breakpoints in the lines of an editor's files.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/debug/shell.hpp"

namespace tandem::debug::dap {

class SourceBreakpoints {
 public:
  // Those of a file from now on: `wanted` has `line` (counted from `first_line`) and perhaps
  // `condition` for each. What became of each of them: its number and line, or why there is none.
  nlohmann::json set(Shell& shell, const std::string& path, const nlohmann::json& wanted,
                     std::int64_t first_line);

 private:
  std::map<std::string, std::vector<int>> numbers_;  // by path
};

}  // namespace tandem::debug::dap
