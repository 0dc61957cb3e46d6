// Decisions by measurement: candidates are compiled and run on the cycle-exact model.
#pragma once

#include "compiler/driver/driver.hpp"
#include "compiler/measure/run.hpp"
#include "compiler/tune/cache.hpp"

namespace tandem::compiler {

struct TuneOptions {
  std::string cache;      // the file
  bool searches = false;  // for a program that is not in the cache; otherwise the models decide
  unsigned runs = 100;    // most of a search
  InputFiles inputs;      // of runs
};

// Sets the job's choices by the cache, and the cache by a search. False with messages on the error;
// messages also report the result of a search.
bool tune(Job& job, const TuneOptions& options, std::string& messages);

}  // namespace tandem::compiler
