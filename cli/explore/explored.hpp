// What `tandem explore` shows: a file, assembled or compiled and run on the cycle-exact model.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run/options/launch_options.hpp"
#include "cli/run/options/model_options.hpp"

namespace tandem {

struct ExploreRequest {
  LaunchOptions launch;  // inputs: assembly and objects, or one file that is compiled
  ModelOptions model;
  std::string python;  // the interpreter for a Python file; "": ours, else python3
};

struct Explored {
  // {"file", "command", "error", "programs": [{"name", "preset", "cycles", "verdict", "linear",
  // "bundles", "lines", "files"}]}: report/panes.hpp; those of a Python file by the size of their
  // module, the largest first. "error" is "" or why there is no program. Then a program without
  // bundles shows the file.
  nlohmann::json data;
  std::vector<std::string> watched;  // a change of these files changes the data
};

// Errors in the file are part of the result. Throws Interrupted (host/process.hpp).
Explored explored(const ExploreRequest& request);

}  // namespace tandem
