// Files that show a run over time, and the window that they are limited to.
#pragma once

#include <string>

#include "isa/image.hpp"
#include "sim/trace/window_search.hpp"

namespace tandem {

class Command;

struct TraceOptions {
  std::string trace;     // Perfetto; "": none
  std::string pipeline;  // Kanata
  std::string wave;      // FST
  std::string window;    // "": the whole run

  [[nodiscard]] bool any() const { return !trace.empty() || !pipeline.empty() || !wave.empty(); }
};

void add_trace_options(Command command, TraceOptions& options);

// "1000:2000", "label=loop", "label=loop:done", "marker=3", "marker=3:500". Throws UserError.
WindowRequest parse_window(const std::string& text);
// The bundle at a label; throws UserError if the program has none of that name.
std::uint32_t pc_of_label(const Image& image, const std::string& name);

}  // namespace tandem
