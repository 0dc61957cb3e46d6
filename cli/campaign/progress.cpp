#include "cli/campaign/progress.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/files/files.hpp"
#include "cli/files/standard_streams.hpp"

namespace tandem {
namespace {

constexpr std::chrono::milliseconds between{250};

std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress(std::uint64_t total, std::string noun)
    : total_(total),
      noun_(std::move(noun)),
      terminal_(stderr_is_terminal()),
      begin_(Clock::now()),
      shown_(begin_) {}

Progress::~Progress() {
  if (terminal_) show_progress("\r\x1b[K");
}

void Progress::show(std::uint64_t done, std::uint64_t failed) {
  const Clock::time_point now = Clock::now();
  if (!terminal_ || now - shown_ < between) return;
  shown_ = now;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double rate = static_cast<double>(done) / seconds;
  const std::string left =
      done == 0 ? "" : ", " + time_text(static_cast<double>(total_ - done) / rate) + " left";
  show_progress(fmt::format("\r\x1b[K{} of {} {}, {} failed, {:.3g} a second{}", done, total_,
                            noun_, failed, rate, left));
}

}  // namespace tandem
