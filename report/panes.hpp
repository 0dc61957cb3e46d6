// A program in panes beside each other: its source, its linear operations, its bundles with their
// cycles, and what belongs to what.
//
// What belongs together has a key in common. A *line* key, "f.py:3", is a place in the user's
// source; a *linear* key stands for one linear operation of one place, however often it is in the
// bundles.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "isa/image.hpp"
#include "report/run_data.hpp"
#include "sim/counters/profile.hpp"

namespace tandem {

struct PaneProgram {
  const Image* image = nullptr;      // its line table leads to the user's source
  const Profile* profile = nullptr;  // nullptr: it did not run
  // Of a compiled program: the assembly that the compiler made, and the same bundles with a line
  // table that leads to the lines of that assembly.
  std::string linear_text = {};
  const Image* by_linear_line = nullptr;
  // Of assembly with linear blocks: the program with its blocks as written.
  const Image* unscheduled = nullptr;
};

// {"linear": {"total", "rows": [{"text", "key", "lines"}]},
//  "bundles": {"total", "rows": [{"pc", "place", "slots": [{"slot", "text", "key", "lines"}],
//              "cycles", "issues", "lost"}]},
//  "lines": {line key: {"cycles", "issues"}}}
// "linear" is null if bundles are as written. "lines" has the cycles of every line and of what it
// calls. Of long programs the first rows are there; "total" says how many there are.
nlohmann::json panes_json(const PaneProgram& program);

// The files that the line keys of panes name, and those in `also`, as far as `reader` has them:
// [{"name", "total", "lines": [text]}], the one with most keys first.
nlohmann::json pane_files(const nlohmann::json& panes, const std::vector<std::string>& also,
                          const SourceReader& reader);

// The assembly that a compiler made, without its places in the user's source: each line as before,
// or empty.
std::string without_places(const std::string& assembly);

}  // namespace tandem
