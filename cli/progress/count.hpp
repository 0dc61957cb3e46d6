// How far work of many equal parts is: done, total, failed, rate and the time left.
#pragma once

#include <cstdint>
#include <string>

#include "cli/progress/line.hpp"

namespace tandem {

class ProgressCount {
 public:
  // `noun`: what there are `total` of.
  ProgressCount(std::uint64_t total, std::string noun);

  void show(std::uint64_t done, std::uint64_t failed);

 private:
  std::uint64_t total_;
  std::string noun_;
  ProgressLine line_;
};

}  // namespace tandem
