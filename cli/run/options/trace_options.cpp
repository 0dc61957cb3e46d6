#include "cli/run/options/trace_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"

namespace tandem {
namespace {

constexpr const char* group = "Over time (rtl, cycle)";

[[noreturn]] void refuse(const std::string& text, std::string_view why) {
  throw UserError{fmt::format(message::bad_window, text, why)};
}

// The parts before and after the first ':'; `colon` whether there is one.
struct Halves {
  std::string first;
  std::string second;
  bool colon = false;
};

Halves split(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, "", false};
  return {text.substr(0, colon), text.substr(colon + 1), true};
}

std::uint64_t parse_number(const std::string& digits, const std::string& text, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end || value > most) {
    refuse(text, fmt::format("'{}' is not a number up to {}", digits, most));
  }
  return value;
}

constexpr std::uint64_t most_cycles = std::uint64_t{1} << 62U;

WindowRequest cycle_window(const Halves& halves, const std::string& text) {
  WindowRequest request;
  if (!halves.colon) refuse(text, "a window of cycles has two ends");
  if (!halves.first.empty()) {
    request.cycles.first = parse_number(halves.first, text, most_cycles);
  }
  if (!halves.second.empty()) {
    request.cycles.end = parse_number(halves.second, text, most_cycles);
  }
  if (request.cycles.first >= request.cycles.end) refuse(text, "it is empty");
  return request;
}

WindowRequest label_window(const Halves& halves, const std::string& text) {
  WindowRequest request;
  request.kind = WindowRequest::Kind::label;
  request.from = halves.first;
  request.to = halves.second;
  if (request.from.empty() || (halves.colon && request.to.empty())) {
    refuse(text, "a label is missing");
  }
  return request;
}

WindowRequest marker_window(const Halves& halves, const std::string& text) {
  WindowRequest request;
  request.kind = WindowRequest::Kind::marker;
  request.code = static_cast<std::uint32_t>(
      parse_number(halves.first, text, std::numeric_limits<std::uint32_t>::max()));
  if (halves.colon) request.margin = parse_number(halves.second, text, most_cycles);
  return request;
}

}  // namespace

void add_trace_options(Command command, TraceOptions& options) {
  command.add_option("--trace", options.trace, "Write a Perfetto trace (ui.perfetto.dev)")
      .group(group);
  command.add_option("--pipeline", options.pipeline, "Write a log for the Konata viewer")
      .group(group);
  command
      .add_option("--wave", options.wave,
                  "Write a waveform (FST) of the RTL, and a signal list for GTKWave next to it")
      .group(group);
  command
      .add_option("--window", options.window,
                  "Part of the run in these files: FIRST:END (cycles), label=FROM[:TO], "
                  "marker=CODE[:CYCLES]")
      .group(group);
}

WindowRequest parse_window(const std::string& text) {
  const std::string label = "label=";
  const std::string marker = "marker=";
  if (text.empty()) return {};
  if (text.starts_with(label)) return label_window(split(text.substr(label.size())), text);
  if (text.starts_with(marker)) return marker_window(split(text.substr(marker.size())), text);
  return cycle_window(split(text), text);
}

std::uint32_t pc_of_label(const Image& image, const std::string& name) {
  const auto found = std::find_if(image.labels.begin(), image.labels.end(),
                                  [&name](const Label& label) { return label.name == name; });
  if (found == image.labels.end()) {
    throw UserError{fmt::format(message::window_no_label, name)};
  }
  return found->pc;
}

}  // namespace tandem
