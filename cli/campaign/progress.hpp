// The line that says how far a campaign is, on a terminal only.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tandem {

class Progress {
 public:
  // `noun`: what there are `total` of.
  Progress(std::uint64_t total, std::string noun);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // At most a few times a second.
  void show(std::uint64_t done, std::uint64_t failed);

 private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t total_;
  std::string noun_;
  bool terminal_;
  Clock::time_point begin_;
  Clock::time_point shown_;
};

}  // namespace tandem
