// The pipeline as a log for the Konata viewer (format: Kanata 0004; docs/traces.md explains the
// encoding).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/events/copy_flows.hpp"
#include "sim/events/cycle_window.hpp"
#include "sim/events/timing_events.hpp"
#include "sim/trace/trace_program.hpp"

namespace tandem {

// Takes events in order of cycle (OrderedTiming). One row per bundle.
class KanataWriter final : public TimingSink {
 public:
  using TextSink = std::function<void(std::string_view)>;

  // Rows of bundles that issue inside the window. The image must outlive the writer.
  KanataWriter(const Image& image, const CycleWindow& window, TextSink sink);

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles& event) override;
  void copy_started(const CopyStart& event) override { starting_copy_ = event; }
  void copy_done(const CopyDone& event) override;
  void beats(const MemoryBeats&) override {}
  void progress(std::uint64_t) override {}
  void ended(std::uint64_t) override {}

  // Writes what is still held; nothing may come after.
  void finish();

 private:
  void add(std::uint64_t cycle, std::string line) { lines_.emplace(cycle, std::move(line)); }
  void open_row(const IssueTiming& event);
  std::uint64_t add_stages(const IssueTiming& event, const trace::BundleView& view);
  void add_waits(const IssueTiming& event, const trace::BundleView& view);
  void end_copy(std::uint64_t cycle, std::uint64_t row);
  void retire(std::uint64_t cycle, std::uint64_t row);
  void write_before(std::uint64_t cycle);

  CycleWindow window_;
  trace::Program program_;
  TextSink sink_;
  std::vector<LostCycles> stalls_;                   // since the last bundle
  std::multimap<std::uint64_t, std::string> lines_;  // not written yet, by cycle
  CopyFlows flows_;
  std::map<std::uint64_t, std::uint64_t> rows_;        // of bundles with a copy, by sequence number
  std::map<std::uint64_t, std::uint64_t> busy_until_;  // of rows whose copy is in flight
  std::optional<CopyStart> starting_copy_;
  std::uint64_t next_row_ = 0;
  std::uint64_t retired_ = 0;
  std::uint64_t written_cycle_ = 0;
  bool begun_ = false;
};

}  // namespace tandem
