#include "cli/run/files/program_coverage.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/files/files.hpp"
#include "cosim/coverage/coverage_file.hpp"
#include "report/json/json_text.hpp"

namespace tandem {

void write_coverage(const std::string& path, const Coverage& coverage) {
  BinCounts counts;
  add_counts(counts, coverage);
  write_text(path, json_text(coverage_json(counts)) + "\n");
  fmt::print(stderr, "{}", coverage_text(summarise(counts)));
}

ProgramCoverage::ProgramCoverage(std::string path, const Image& image, RunReaders& readers)
    : path_(std::move(path)) {
  if (path_.empty()) return;
  claim_output(path_);
  coverage_.begin(image);
  readers.add(&coverage_);
}

RecordReader ProgramCoverage::beside(RecordReader other) {
  if (path_.empty()) return other;
  return [this, other = std::move(other)](const RetireRecord& record) {
    coverage_.record(record);
    if (other) other(record);
  };
}

void ProgramCoverage::write() const {
  if (!path_.empty()) write_coverage(path_, coverage_);
}

}  // namespace tandem
