// Runs a launch to its end with a limit and a progress line, and tells how it ended.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "runtime/models/runner.hpp"

namespace tandem {

struct DriveResult {
  Outcome outcome = Outcome::running;  // running: the limit was met
  std::uint64_t limit = 0;             // steps allowed
  double seconds = 0;
};

// `model` is what the runner was made for. The progress line appears after two seconds, on a
// terminal only.
DriveResult drive(Runner& runner, std::string_view model, std::uint64_t limit);

// How it ended, as one or several lines for a person, ending in '\n'.
std::string result_text(const Runner& runner, const DriveResult& result, const Image& image);
nlohmann::json result_json(const Runner& runner, const DriveResult& result, const Image& image);
// 0 after a halt, else 1.
int exit_status(const DriveResult& result);

}  // namespace tandem
