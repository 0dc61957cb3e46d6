#include "cli/progress/count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tandem {
namespace {

std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

ProgressCount::ProgressCount(std::uint64_t total, std::string noun)
    : total_(total), noun_(std::move(noun)) {}

void ProgressCount::show(std::uint64_t done, std::uint64_t failed) {
  if (!line_.is_due()) return;
  const double rate = static_cast<double>(done) / line_.seconds();
  const std::uint64_t rest = total_ - std::min(done, total_);
  const std::string left =
      done == 0 ? "" : ", " + time_text(static_cast<double>(rest) / rate) + " left";
  line_.show(fmt::format("{} of {} {}, {} failed, {:.3g} a second{}", done, total_, noun_, failed,
                         rate, left));
}

}  // namespace tandem
