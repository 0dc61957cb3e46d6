// Windows given by labels or markers: finds their cycles in a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/image.hpp"
#include "sim/events/cycle_window.hpp"
#include "sim/events/timing_events.hpp"
#include "sim/trace/trace_program.hpp"

namespace tandem {

struct WindowRequest {
  enum class Kind : std::uint8_t {
    cycles,  // as given
    label,   // from the first bundle at `from` to the first later one at `to`, not included
    marker,  // `margin` cycles before and after the first marker `code`
  };
  Kind kind = Kind::cycles;
  CycleWindow cycles;
  std::string from;
  std::string to;  // "": to the end
  std::uint32_t code = 0;
  std::uint64_t margin = 1000;
};

// Looks for the window of a request, of any kind but `cycles`, in the events of a run. Timing does
// not depend on the reader, so a first run finds the window for a second.
class WindowSearch final : public TimingSink {
 public:
  // The bundles at the labels `from` and `to`, where the request has them. The image must outlive
  // the search.
  WindowSearch(const Image& image, WindowRequest request, std::uint32_t from_pc,
               std::uint32_t to_pc)
      : program_(image), request_(std::move(request)), from_pc_(from_pc), to_pc_(to_pc) {}

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles&) override {}
  void copy_started(const CopyStart&) override {}
  void copy_done(const CopyDone&) override {}
  void beats(const MemoryBeats&) override {}
  void progress(std::uint64_t) override {}
  void ended(std::uint64_t) override {}

  // Whether the run need not continue.
  [[nodiscard]] bool complete() const { return complete_; }
  // Nothing when the run never got there.
  [[nodiscard]] std::optional<CycleWindow> window() const { return window_; }

 private:
  void look_for_labels(const IssueTiming& event);
  void look_for_marker(const IssueTiming& event);

  trace::Program program_;
  WindowRequest request_;
  std::uint32_t from_pc_;
  std::uint32_t to_pc_;
  std::optional<CycleWindow> window_;
  bool complete_ = false;
};

}  // namespace tandem
