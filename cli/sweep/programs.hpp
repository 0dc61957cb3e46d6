// The programs of a study, made for one machine after the other: text is assembled, StableHLO
// compiled, a Python file run once to record its launches on Tandem. The results are kept in a
// folder, for the other timings of the machine and for later continuation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/sweep/study.hpp"

namespace tandem {

// A launch that a point measures, and how often it counts.
struct PointLaunch {
  LaunchOptions launch;
  std::uint64_t count = 1;
};

class StudyPrograms {
 public:
  // `folder`: of the results. Throws UserError if a tool to build the programs is missing.
  StudyPrograms(const Study& study, const std::string& folder);

  // Checksum of everything that determines the program for these sizes: its files, inputs and
  // options. Files that a Python file imports are not seen.
  std::string digest(std::size_t program, const Parameters& sizes);
  // Builds it unless the folder has it. Throws UserError with the message of the compiler or the
  // file.
  std::vector<PointLaunch> launches(std::size_t program, const Parameters& sizes);

 private:
  [[nodiscard]] std::vector<PointLaunch> compiled(const StudyProgram& program,
                                                  const Parameters& sizes,
                                                  const std::string& folder) const;
  [[nodiscard]] std::vector<PointLaunch> recorded(const StudyProgram& program,
                                                  const Parameters& sizes,
                                                  const std::string& folder) const;

  const Study& study_;
  std::string folder_;
  std::string compiler_;
  std::string compiler_sum_;
  std::string python_;
  std::map<std::pair<std::size_t, const Parameters*>, std::string> digests_;
};

}  // namespace tandem
