// Writes a core's events as a stream (cosim/stream/event_stream.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "cosim/foreign/timing_rules.hpp"
#include "cosim/stream/event_stream.hpp"
#include "isa/parameters.hpp"
#include "runtime/models/machine_events.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

class StreamWriter final : public EventSink, public TimingSink {
 public:
  using Output = std::function<void(std::string_view bytes)>;

  // Writes the header.
  StreamWriter(const Parameters& parameters, const StreamHeader& header, Output output);

  // Cycle of the events to come; for the parts, the total number of cycles.
  void set_cycle(std::uint64_t cycle) { cycle_ = cycle; }
  void issue(const IssueEvent& event) override;
  void write(const WriteEvent& event) override;
  void copy_issue(const CopyIssueEvent& event) override;
  void copy_done(const CopyDoneEvent& event) override;

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles& event) override;
  void copy_started(const CopyStart& event) override;
  void copy_done(const CopyDone& event) override;
  void beats(const MemoryBeats& event) override;
  void marked(const MarkerTiming& event) override;
  void progress(std::uint64_t cycle) override;
  void ended(std::uint64_t cycles) override;

  void part(CorePart part, std::uint64_t first, std::span<const std::uint32_t> words);
  // `flags`: end_stopped, end_hbm_whole. Nothing follows.
  void end(std::uint32_t flags);

 private:
  using Words = std::span<const std::uint32_t>;

  void record(RecordKind kind, std::initializer_list<Words> parts);
  void event(RecordKind kind, std::initializer_list<Words> parts);
  void timing(const TimingEvent& event);
  void add(Words words);
  void flush();

  Parameters parameters_;
  Output output_;
  std::vector<std::uint32_t> buffer_;
  std::uint32_t checksum_ = 0;
  std::uint64_t cycle_ = 0;
  std::uint64_t written_cycle_ = 0;
};

}  // namespace tandem
