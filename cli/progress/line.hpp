// The progress line of a long command: overwritten a few times a second on a terminal, one line per
// minute elsewhere, so that a log shows that the work continues.
#pragma once

#include <chrono>
#include <string_view>

namespace tandem {

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  // Nothing is shown in the first `quiet` seconds.
  explicit ProgressLine(double quiet = 0);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time for another line: an expensive one need not be computed otherwise.
  [[nodiscard]] bool is_due() const { return Clock::now() >= next_; }
  void show(std::string_view text);
  // Seconds since the beginning.
  [[nodiscard]] double seconds() const;

 private:
  bool terminal_;
  bool shown_ = false;
  Clock::time_point begin_;
  Clock::time_point next_;
};

}  // namespace tandem
