// A machine on its own, without golden. With a reader, its events become records.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/archive/messages.hpp"
#include "isa/state/archive_memory.hpp"
#include "runtime/models/runner.hpp"
#include "runtime/models/silence.hpp"

namespace tandem {
namespace {

// Collects events into records and passes them on in order once they are old enough to be complete.
class RecordCollector final : public EventSink {
 public:
  RecordCollector(const Parameters& parameters, RecordReader reader)
      : parameters_(parameters), reader_(std::move(reader)) {}

  void copy_done(const CopyDoneEvent&) override {}

  void issue(const IssueEvent& event) override {
    RetireRecord& record = records_[event.sequence];
    record.sequence = event.sequence;
    record.pc = event.pc;
    record.next_pc = event.next_pc;
    record.bundle = event.bundle;
    record.enabled = event.enabled;
    record.halted = event.halted;
    record.trap = event.trap;
    while (records_.size() > kept) pop();
  }

  void copy_issue(const CopyIssueEvent& event) override {
    RetireRecord& record = records_[event.sequence];
    record.has_copy = true;
    record.copy = event.copy;
  }

  void write(const WriteEvent& event) override {
    RetireRecord& record = records_[event.sequence];
    const std::uint32_t words = data_words(event.space, parameters_);
    record.writes.push_back({event.slot, event.space, event.row, event.index, event.lanes,
                             static_cast<std::uint32_t>(record.data.size())});
    record.data.insert(record.data.end(), event.data, event.data + words);
  }

  void flush() {
    while (!records_.empty()) pop();
  }

 private:
  static constexpr std::size_t kept = 1024;  // more bundles than can be in flight

  void pop() {
    RetireRecord& record = records_.begin()->second;
    std::stable_sort(record.writes.begin(), record.writes.end(),
                     [](const Write& a, const Write& b) {
                       return a.slot != b.slot ? a.slot < b.slot : a.row < b.row;
                     });
    reader_(record);
    records_.erase(records_.begin());
  }

  Parameters parameters_;
  RecordReader reader_;
  std::map<std::uint32_t, RetireRecord> records_;
};

class RtlRunner final : public Runner {
 public:
  RtlRunner(const Launch& launch, std::shared_ptr<Machine> machine, const RtlRunOptions& options)
      : machine_(std::move(machine)),
        collector_(*launch.image->preset, options.reader),
        sink_(options.reader ? &collector_ : nullptr),
        silence_(options.silence) {
    machine_->set_timing(options.timing);
    machine_->start(launch);
  }

  Outcome advance(std::uint64_t steps) override {
    while (steps != 0 && outcome_ == Outcome::running) {
      const std::uint64_t slice = std::min(steps, silence_interval);
      bool running = true;
      for (std::uint64_t cycle = 0; running && cycle < slice; ++cycle) {
        running = machine_->cycle(sink_);
      }
      steps -= slice;
      if (!running) {
        stop();
      } else if (silence_.silent(*machine_, 0)) {
        outcome_ = Outcome::no_retirement;
      }
    }
    return outcome_;
  }

  std::uint64_t bundles() const override {
    return machine_->bundles() - (outcome_ == Outcome::trapped ? 1 : 0);
  }
  std::uint64_t cycles() const override {
    return outcome_ == Outcome::running ? machine_->cycles() : counted_cycles(*machine_);
  }
  Trap trap() const override {
    return {static_cast<TrapCause>(status_.trap_cause & 0xffU),
            static_cast<Slot>((status_.trap_cause >> 8U) & 0xfU), status_.trap_detail};
  }
  std::uint32_t pc() const override { return status_.trap_pc; }
  std::optional<Finding> finding() const override { return std::nullopt; }
  const SparseMemory& hbm() const override { return machine_->hbm(); }
  std::optional<std::uint32_t> host_register(std::uint32_t number) const override {
    return machine_->read_register(number);
  }
  std::optional<CounterValues> counters() const override { return machine_->counters(); }
  std::string explanation() const override {
    if (outcome_ != Outcome::no_retirement) return {};
    return fmt::format(
        "NO RETIREMENT: nothing has happened for long, now cycle {}; stall cause {}\n", cycles(),
        cause_name());
  }
  std::string explanation_json() const override {
    if (outcome_ != Outcome::no_retirement) return {};
    return fmt::format(R"({{"field": "no_retirement", "cycle": {}, "stall_cause": "{}"}})",
                       cycles(), cause_name());
  }

  void save_to(ArchiveWriter& archive) override {
    check_no_records();
    archive_model(archive, machine_->host_memory(), *machine_);
    archive(silence_);
  }
  void restore_from(ArchiveReader& archive) override {
    check_no_records();
    archive_model(archive, machine_->host_memory(), *machine_);
    archive(silence_);
  }

 private:
  void stop() {
    collector_.flush();
    status_ = machine_->status();
    outcome_ = status_.machine_check ? Outcome::machine_check
               : status_.trapped     ? Outcome::trapped
                                     : Outcome::halted;
  }
  // Records of bundles whose results are pending are not in snapshots.
  void check_no_records() const {
    if (sink_ != nullptr) throw SnapshotError(archiving::message::no_records);
  }
  std::string_view cause_name() const {
    return stall_causes()[static_cast<std::size_t>(machine_->cause())].name;
  }

  std::shared_ptr<Machine> machine_;
  RecordCollector collector_;
  EventSink* sink_;
  SilenceWatch silence_;
  MachineStatus status_;
  Outcome outcome_ = Outcome::running;
};

}  // namespace

std::unique_ptr<Runner> make_rtl_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                        const RtlRunOptions& options) {
  machine->power_up(launch.hbm_bytes, launch.seed);
  return start_rtl(launch, std::move(machine), options);
}

std::unique_ptr<Runner> start_rtl(const Launch& launch, std::shared_ptr<Machine> machine,
                                  const RtlRunOptions& options) {
  return std::make_unique<RtlRunner>(launch, std::move(machine), options);
}

}  // namespace tandem
