// Turns timing events into a Perfetto trace (docs/traces.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/events/copy_flows.hpp"
#include "sim/events/cycle_window.hpp"
#include "sim/events/timing_events.hpp"
#include "sim/trace/trace_blocks.hpp"
#include "sim/trace/trace_bundles.hpp"
#include "sim/trace/trace_chunks.hpp"
#include "sim/trace/trace_copies.hpp"
#include "sim/trace/trace_program.hpp"
#include "sim/trace/trace_units.hpp"
#include "sim/trace/trace_use.hpp"

namespace tandem::trace {

// Takes events in order of cycle (OrderedTiming), so that the same events give the same bytes,
// whatever their source.
class Encoder final : public TimingSink {
 public:
  // Events outside the window are omitted, but copies in flight at its beginning are shown from
  // their start on. `title` names the part of the run in words; "" is all of it. The image must
  // outlive the encoder. `memory`: bytes that it may use to recognise repetitions; the packets do
  // not depend on it.
  Encoder(const Image& image, const CycleWindow& window, std::string_view title, ByteSink sink,
          std::size_t memory = ChunkMemory::default_bytes);

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles& event) override;
  void issue_run(const IssueRun& run) override;
  void copy_started(const CopyStart& event) override;
  void copy_done(const CopyDone& event) override;
  void beats(const MemoryBeats& event) override;
  void progress(std::uint64_t cycle) override;
  void ended(std::uint64_t cycles) override;

  // Writes what is still held; nothing may come after. Without ended() before, the run was broken
  // off: the trace is complete up to the last progress().
  void finish();

  // Slices, instants and counter values so far.
  [[nodiscard]] std::uint64_t events() const;
  [[nodiscard]] std::uint64_t bytes_written() const {
    return chunks_.bytes_written() + others_.bytes_written();
  }

 private:
  // A copy and the position of its bundle.
  struct Started {
    CopyStart start{};
    std::uint32_t pc = 0;
  };

  void add_words(std::span<const IssueWord> words, std::uint64_t cycle);
  void add_clipped_words(std::span<const IssueWord> words, std::uint64_t cycle);
  void count(const Chunks::Followed& followed);
  void add_clipped(const IssueWord& word, std::uint64_t cycle);
  void add_lost(const LostCycles& lost);
  [[nodiscard]] LostCycles lost_inside(const IssueWord& word, std::uint64_t cycle) const;
  void add_bundle(const IssueWord& word, std::uint64_t cycle);
  void add_trap(const IssueRun& run);
  void issued_early(std::uint32_t pc);
  void enter_window();
  void start_copy(const CopyStart& event, std::uint32_t pc);
  void collect_flows(const IssueWord& word, const BundleView& view);

  CycleWindow window_;
  Program program_;
  std::string preamble_;
  Units units_;
  Bundles bundles_;
  Chunks chunks_;  // data from bundles
  Copies copies_;
  Use use_;
  Blocks others_;  // data from copies and counters, in between
  CopyFlows copy_flows_;
  Flows flows_;                                    // of the current bundle
  std::optional<CopyStart> starting_copy_;         // of the bundle that comes next
  std::map<std::uint64_t, Started> early_copies_;  // in flight before the window, by sequence
  std::uint64_t reached_;
  std::optional<std::uint64_t> cycles_;  // once the run has ended
};

}  // namespace tandem::trace
