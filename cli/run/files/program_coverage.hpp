// The coverage bins that a program hits, for a file (--coverage).
#pragma once

#include <string>

#include "cli/run/run_readers.hpp"
#include "cosim/coverage/coverage.hpp"
#include "runtime/models/runner.hpp"

namespace tandem {

// And the summary to standard error.
void write_coverage(const std::string& path, const Coverage& coverage);

// Without a path nothing is read or written.
class ProgramCoverage {
 public:
  // `image` and `readers` outlive this, and this outlives the run.
  ProgramCoverage(std::string path, const Image& image, RunReaders& readers);
  ProgramCoverage(const ProgramCoverage&) = delete;
  ProgramCoverage& operator=(const ProgramCoverage&) = delete;

  // A reader of records for it and `other`, which may be empty.
  RecordReader beside(RecordReader other);
  void write() const;

 private:
  std::string path_;
  Coverage coverage_;
};

}  // namespace tandem
