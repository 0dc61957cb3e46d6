// Progress of work with many equal parts: done, total, failed, rate and the time left.
#pragma once

#include <cstdint>
#include <string>

#include "cli/progress/line.hpp"

namespace tandem {

class ProgressCount {
 public:
  // `noun`: the name of the parts.
  ProgressCount(std::uint64_t total, std::string noun);

  void show(std::uint64_t done, std::uint64_t failed);

 private:
  std::uint64_t total_;
  std::string noun_;
  ProgressLine line_;
};

}  // namespace tandem
