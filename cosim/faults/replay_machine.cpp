#include "cosim/faults/replay_machine.hpp"

#include <map>
#include <optional>
#include <vector>

#include "cosim/checker/counter_tally.hpp"
#include "cosim/rng.hpp"
#include "cosim/verilated/timing_probe.hpp"
#include "isa/encoding.hpp"
#include "isa/golden/golden_model.hpp"
#include "runtime/models/golden_machine.hpp"
#include "sim/counters/counter_registers.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t longest_write_delay = 20;
constexpr std::uint32_t longest_copy_delay = 90;

bool is_wait(const Bundle& bundle) {
  const auto operation = decode(Slot::dma, slot_bits(bundle, Slot::dma));
  return operation && operation->op == Op::wait;
}

class ReplayMachine final : public Machine {
 public:
  ReplayMachine(const Parameters& parameters, std::uint32_t seed)
      : parameters_(parameters), rng_(seed) {}

  std::string_view name() const override { return "stand-in"; }
  const Parameters& parameters() const override { return parameters_; }
  std::uint64_t cycles() const override { return cycle_; }
  std::uint64_t bundles() const override { return bundles_; }
  std::uint64_t memory_beats() const override { return 0; }
  StallCause cause() const override { return StallCause::issued; }
  const SparseMemory& hbm() const override { return model_->hbm(); }

  void set_timing(TimingSink* sink) override { timing_sink_ = sink; }

  SparseMemory& host_memory() override { return model_->hbm(); }

  void set_memory(const MemoryTimingParameters&) override {}  // it has no time
  void power_up(std::uint64_t hbm_bytes, std::uint32_t seed) override {
    GoldenOptions options;
    options.detect_races = false;
    options.detect_uninitialised = false;
    options.volatile_csr = [this](std::uint32_t) { return static_cast<std::uint32_t>(cycle_); };
    model_.emplace(parameters_, hbm_bytes, seed, options);
  }

  void start(const Launch& launch) override {
    cycle_ = bundles_ = lost_ = 0;
    late_.clear();
    copies_done_.clear();
    tally_.emplace(parameters_);
    timing_.reset();
    if (timing_sink_ != nullptr) timing_.emplace(*timing_sink_, *this);
    text_ = &launch.image->text;
    model_->start(launch);
  }

  bool cycle(EventSink* sink) override {
    give_due(sink);
    const bool stalls = lose_cycle();
    const bool issues = !stalls && model_->status() == RunStatus::running;
    if (issues) issue(sink);
    ++cycle_;
    if (timing_) give_timing(issues, stalls);
    const bool running =
        model_->status() == RunStatus::running || !late_.empty() || !copies_done_.empty();
    if (!running && timing_) timing_->ended(cycle_);
    return running;
  }

  MachineState state() const override { return machine_state(model_->state(), masks_); }
  MachineStatus status() override { return machine_status(*model_, model_->status()); }

  std::uint32_t read_register(std::uint32_t number) override {
    CounterValues values = tally_->values();  // all its cycles issued a bundle
    const auto cause = [&values](StallCause which) -> std::uint64_t& {
      return values.causes[static_cast<std::size_t>(which)];
    };
    cause(StallCause::fetch) = lost_;
    cause(StallCause::drain) = cycle_ - values.cycles - lost_;
    values.events[static_cast<std::size_t>(CountedEvent::fetch_bytes)] =
        lost_ * parameters_.beat_bytes();
    values.cycles = cycle_;
    return counter_register(values, number).value_or(0);
  }

 private:
  // A pending write.
  struct Late {
    WriteEvent event;
    std::vector<std::uint32_t> data;
  };

  void give_due(EventSink* sink) {
    while (!copies_done_.empty() && copies_done_.begin()->first <= cycle_) give_copy_done(sink);
    while (!late_.empty() && late_.begin()->first <= cycle_) {
      Late& late = late_.begin()->second;
      late.event.data = late.data.data();
      if (sink != nullptr) sink->write(late.event);
      late_.erase(late_.begin());
    }
  }

  void give_copy_done(EventSink* sink) {
    if (sink != nullptr) sink->copy_done({copies_done_.begin()->second});
    if (timing_) timing_->copy_done(cycle_, copies_done_.begin()->second);
    copies_done_.erase(copies_done_.begin());
  }

  void issue(EventSink* sink) {
    const std::uint32_t pc = model_->pc();
    if (pc < text_->size() && is_wait((*text_)[pc])) {
      while (!copies_done_.empty()) give_copy_done(sink);
    }
    const bool is_volatile = model_->next_volatile_csr().has_value();
    model_->step(&record_);
    ++bundles_;
    tally_->add(record_);
    if (sink != nullptr) {
      sink->issue(issue_event(record_));
      if (record_.has_copy) sink->copy_issue(copy_issue_event(record_));
    }
    schedule(is_volatile);
  }

  // Whether a bundle is to be fetched in this cycle instead of issued, at random.
  bool lose_cycle() {
    if (model_->status() != RunStatus::running || rng_.below(4) != 0) return false;
    ++lost_;
    return true;
  }

  // Of the finished cycle.
  void give_timing(bool issued, bool fetched) {
    const std::uint64_t cycle = cycle_ - 1;
    const bool runs = issued && !record_.trap;
    timing_->cause(cycle, fetched ? StallCause::fetch
                          : runs  ? StallCause::issued
                                  : StallCause::drain);
    if (fetched) timing_->beat(cycle, MemoryPath::fetch);
    if (issued) timing_->issued(cycle, issue_event(record_));
    if (issued && record_.has_copy) timing_->copy_started(cycle, copy_issue_event(record_));
    timing_->cycle_done(cycle);
  }

  void schedule(bool is_volatile) {
    const auto sequence = static_cast<std::uint32_t>(record_.sequence);
    for (const Write& write : record_.writes) {
      const auto data = record_.data_of(write, parameters_);
      Late late{write_event(record_, write, parameters_, is_volatile), {data.begin(), data.end()}};
      const bool waits = !late.event.volatile_csr;  // CSRs are read in order and immediately
      const std::uint32_t delay = waits ? rng_.below(longest_write_delay) : 0;
      late_.emplace(cycle_ + 1 + delay, std::move(late));
    }
    if (record_.has_copy) {
      copies_done_.emplace(cycle_ + 1 + rng_.below(longest_copy_delay), sequence);
    }
  }

  Parameters parameters_;
  Rng rng_;
  const std::vector<Bundle>* text_ = nullptr;
  std::optional<GoldenModel> model_;
  RetireRecord record_;
  std::optional<CounterTally> tally_;
  std::multimap<std::uint64_t, Late> late_;
  std::multimap<std::uint64_t, std::uint32_t> copies_done_;
  mutable std::vector<std::uint32_t> masks_;
  std::uint64_t cycle_ = 0;
  std::uint64_t bundles_ = 0;
  std::uint64_t lost_ = 0;  // cycles
  TimingSink* timing_sink_ = nullptr;
  std::optional<TimingProbe> timing_;
};

}  // namespace

std::unique_ptr<Machine> make_replay_machine(const Parameters& parameters, std::uint32_t seed) {
  return std::make_unique<ReplayMachine>(parameters, seed);
}

}  // namespace tandem
