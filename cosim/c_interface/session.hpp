// The implementation of a `tandem_checker` of the C interface.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cosim/c_interface/tandem_checker.h"
#include "cosim/foreign/core_check.hpp"

struct tandem_checker {
  std::unique_ptr<tandem::CoreCheck> check;
  std::string error;
  bool in_reader = false;  // the core's reader runs: the check is in the middle of an operation
  // The storage of returned strings.
  std::string report;
  std::string report_json;
  std::string field;
  std::vector<std::string> not_compared;
};

namespace tandem {

// Throws LaunchError, runtime::Error or BadArgument.
std::unique_ptr<CoreCheck> make_check(const tandem_checker_options& options);

// The caller passed an invalid argument.
struct BadArgument {
  std::string message;
};

tandem_verdict verdict_of(const CoreCheck& check);
std::string report_of(const CoreCheck& check);

}  // namespace tandem
