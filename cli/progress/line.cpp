#include "cli/progress/line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/files/files.hpp"
#include "cli/files/standard_streams.hpp"

namespace tandem {
namespace {

constexpr std::chrono::milliseconds on_terminal{250};
constexpr std::chrono::seconds in_log{60};
constexpr const char* clear_line = "\r\x1b[K";

ProgressLine::Clock::duration between(bool terminal) {
  if (terminal) return on_terminal;
  return in_log;
}

}  // namespace

ProgressLine::ProgressLine(double quiet) : terminal_(stderr_is_terminal()), begin_(Clock::now()) {
  const auto first =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(quiet));
  next_ = begin_ + std::max(first, between(terminal_));
}

ProgressLine::~ProgressLine() {
  if (terminal_ && shown_) show_unfiltered(clear_line);
}

void ProgressLine::show(std::string_view text) {
  shown_ = true;
  next_ = Clock::now() + between(terminal_);
  if (terminal_) {
    show_unfiltered(fmt::format("{}{}", clear_line, text));
  } else {
    fmt::print(stderr, "{}\n", text);
  }
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

}  // namespace tandem
