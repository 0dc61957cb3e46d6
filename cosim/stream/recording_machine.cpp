#include "cosim/stream/recording_machine.hpp"

#include <map>
#include <utility>
#include <vector>

#include "cosim/checker/copies.hpp"
#include "cosim/foreign/part_words.hpp"
#include "runtime/models/forwarding_machine.hpp"
#include "sim/events/timing_fan_out.hpp"

namespace tandem {
namespace {

// Passes events on, and to the writer with the words of copies, which are in the machine's memory.
class RecordingSink final : public EventSink {
 public:
  RecordingSink(const Machine& machine, StreamWriter& writer)
      : machine_(machine), writer_(writer) {}

  void set_next(EventSink* next) { next_ = next; }
  void issue(const IssueEvent& event) override {
    writer_.issue(event);
    if (next_ != nullptr) next_->issue(event);
  }
  void write(const WriteEvent& event) override {
    writer_.write(event);
    if (next_ != nullptr) next_->write(event);
  }
  void copy_issue(const CopyIssueEvent& event) override {
    copies_[event.sequence] = event.copy;
    writer_.copy_issue(event);
    if (next_ != nullptr) next_->copy_issue(event);
  }
  void copy_done(const CopyDoneEvent& event) override {
    const auto copy = copies_.find(event.sequence);
    words_.clear();
    if (copy != copies_.end()) {
      if (!read_copy_words(machine_, copy->second, words_)) words_.clear();
      copies_.erase(copy);
    }
    writer_.copy_done(CopyDoneEvent{event.sequence, words_});
    if (next_ != nullptr) next_->copy_done(event);
  }

 private:
  const Machine& machine_;
  StreamWriter& writer_;
  EventSink* next_ = nullptr;
  std::map<std::uint32_t, CopyIssue> copies_;  // in flight
  std::vector<std::uint32_t> words_;
};

class RecordingMachine final : public ForwardingMachine {
 public:
  RecordingMachine(std::unique_ptr<Machine> machine, StreamWriter& writer, bool* stopped)
      : ForwardingMachine(std::move(machine)),
        writer_(writer),
        stopped_(stopped),
        sink_(inner(), writer),
        initial_(0) {}

  bool cycle(EventSink* sink) override {
    sink_.set_next(sink);
    writer_.set_cycle(inner().cycles());
    const bool running = inner().cycle(&sink_);
    if (!running && !ended_) tell_end();
    return running;
  }
  void start(const Launch& launch) override {
    inner().start(launch);
    initial_ = inner().hbm();
  }
  void set_timing(TimingSink* sink) override {
    timing_ = {};
    timing_.add(&writer_);
    timing_.add(sink);
    inner().set_timing(timing_.reader());
  }

  const std::uint32_t* vmem() const override { return inner().vmem(); }
  const std::uint32_t* smem(std::uint32_t first, std::uint32_t count) const override {
    return inner().smem(first, count);
  }
  CounterValues counters() override { return inner().counters(); }

 private:
  void tell_end() {
    ended_ = true;
    writer_.set_cycle(inner().cycles());
    const MachineState state = inner().state();
    for (std::size_t number = 0; number < static_cast<std::size_t>(CorePart::hbm); ++number) {
      const auto part = static_cast<CorePart>(number);
      writer_.part(part, 0, state_words(part, state, parameters()));
    }
    tell_hbm();
    writer_.part(CorePart::status, 0, status_words(inner().status()));
    writer_.part(CorePart::counters, 0, counter_words(inner().counters()));
    writer_.end(end_stopped | end_hbm_whole);
    if (stopped_ != nullptr) *stopped_ = true;
  }

  // The pages that have changed since the start.
  void tell_hbm() {
    constexpr std::uint64_t page_words = SparseMemory::page_bytes / 4;
    const SparseMemory& hbm = inner().hbm();
    std::vector<std::uint32_t> words(page_words), before(page_words);
    for (const std::uint64_t page : hbm.touched_pages()) {
      hbm.read_words(page * SparseMemory::page_bytes, words);
      initial_.read_words(page * SparseMemory::page_bytes, before);
      if (words != before) writer_.part(CorePart::hbm, page * page_words, words);
    }
  }

  StreamWriter& writer_;
  bool* stopped_;
  RecordingSink sink_;
  TimingFanOut timing_;
  SparseMemory initial_;
  bool ended_ = false;
};

}  // namespace

StreamHeader stream_header(const Machine& machine, const MemoryTimingParameters& memory,
                           std::uint64_t hbm_bytes, std::uint32_t seed) {
  StreamHeader header;
  header.machine = machine.parameters().name;
  header.lanes = machine.parameters().lanes;
  header.times = true;
  header.seed = seed;
  header.hbm_bytes = hbm_bytes;
  header.memory = memory;
  return header;
}

std::unique_ptr<Machine> make_recording_machine(std::unique_ptr<Machine> machine,
                                                StreamWriter& writer, bool* stopped) {
  return std::make_unique<RecordingMachine>(std::move(machine), writer, stopped);
}

}  // namespace tandem
