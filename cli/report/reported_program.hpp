// A run of a program for a page: on a model with time, with the readers that a page needs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run/options/launch_options.hpp"
#include "cli/run/options/model_options.hpp"

namespace tandem {

struct ReportRequest {
  LaunchOptions launch;
  ModelOptions model;
  std::string on = "cycle";
  nlohmann::json options = nlohmann::json::object();  // for people: given_options()
  std::string trace;                                  // the path of a Perfetto trace; "": none
  std::vector<std::string> outputs;  // files that the caller writes later, claimed before the run
};

struct ReportedProgram {
  nlohmann::json data;  // report/run_data.hpp
  int status = 0;       // as of `tandem run`
};

// Prints the verdict, as `tandem run` does. Throws UserError.
ReportedProgram run_for_report(ReportRequest request);

}  // namespace tandem
