#include "cosim/replay_machine.hpp"

#include <map>
#include <optional>
#include <vector>

#include "cosim/counter_tally.hpp"
#include "cosim/random/rng.hpp"
#include "cosim/timing_probe.hpp"
#include "isa/encoding.hpp"
#include "isa/golden/golden_model.hpp"
#include "sim/counter_registers.hpp"

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

  const Parameters& parameters() const override { return parameters_; }
  std::uint64_t cycles() const override { return cycle_; }
  std::uint64_t bundles() const override { return bundles_; }
  std::uint64_t memory_beats() const override { return 0; }
  StallCause cause() const override { return StallCause::issued; }
  const SparseMemory& hbm() const override { return model_->hbm(); }

  void set_timing(TimingSink* sink) override { timing_sink_ = sink; }

  void start(const Launch& launch) override {
    tally_.emplace(parameters_);
    timing_.reset();
    if (timing_sink_ != nullptr) timing_.emplace(*timing_sink_, *this);
    text_ = &launch.image->text;
    GoldenOptions options;
    options.detect_races = false;
    options.detect_uninitialised = false;
    options.volatile_csr = [this](std::uint32_t) { return static_cast<std::uint32_t>(cycle_); };
    model_.emplace(launch, options);
  }

  bool cycle(EventSink* sink) override {
    give_due(sink);
    const bool issues = model_->status() == RunStatus::running;
    if (issues) issue(sink);
    ++cycle_;
    if (timing_) give_timing(issues);
    const bool running =
        model_->status() == RunStatus::running || !late_.empty() || !copies_done_.empty();
    if (!running && timing_) timing_->ended(cycle_);
    return running;
  }

  MachineState state() const override {
    const State& golden = model_->state();
    MachineState state;
    state.scalars = golden.scalars.data();
    state.flags = golden.flags.data();
    for (std::uint32_t number = 0; number < predicate_registers; ++number) {
      state.predicates =
          static_cast<std::uint8_t>(state.predicates | golden.predicates[number] << number);
    }
    masks_.clear();
    for (std::uint32_t number = 0; number < mask_registers; ++number) {
      const auto mask = golden.mask(number);
      masks_.insert(masks_.end(), mask.begin(), mask.end());
    }
    state.masks = masks_.data();
    state.vectors = golden.vectors.data();
    state.accumulators = golden.accumulators.data();
    state.weights_active = golden.weights[golden.active].data();
    state.weights_filling = golden.weights[1 - golden.active].data();
    state.vmem = golden.vmem.data();
    state.smem = golden.smem.data();
    return state;
  }

  MachineStatus status() override {
    MachineStatus status;
    status.halted = model_->status() == RunStatus::halted;
    status.trapped = model_->status() == RunStatus::trapped;
    const Trap& trap = model_->trap();
    status.trap_cause =
        static_cast<std::uint32_t>(trap.cause) | static_cast<std::uint32_t>(trap.slot) << 8U;
    status.trap_pc = model_->pc();
    status.trap_detail = trap.detail;
    return status;
  }

  std::uint32_t read_register(std::uint32_t number) override {
    constexpr auto drain = static_cast<std::size_t>(StallCause::drain);
    CounterValues values = tally_->values();  // all its cycles issued a bundle
    values.causes[drain] = cycle_ - values.cycles;
    values.cycles = cycle_;
    return counter_register(values, number).value_or(0);
  }

 private:
  // A write that is on its way.
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
      sink->issue(issue_event());
      if (record_.has_copy) sink->copy_issue(copy_event());
    }
    schedule(is_volatile);
  }

  [[nodiscard]] IssueEvent issue_event() const {
    return {static_cast<std::uint32_t>(record_.sequence),
            record_.pc,
            record_.next_pc,
            record_.bundle,
            record_.enabled,
            record_.halted,
            record_.trap};
  }
  [[nodiscard]] CopyIssueEvent copy_event() const {
    return {static_cast<std::uint32_t>(record_.sequence), record_.copy};
  }

  // Of the cycle that is over.
  void give_timing(bool issued) {
    const std::uint64_t cycle = cycle_ - 1;
    timing_->cause(cycle, issued && !record_.trap ? StallCause::issued : StallCause::drain);
    if (issued) timing_->issued(cycle, issue_event());
    if (issued && record_.has_copy) timing_->copy_started(cycle, copy_event());
    timing_->cycle_done(cycle);
  }

  void schedule(bool is_volatile) {
    const auto sequence = static_cast<std::uint32_t>(record_.sequence);
    for (const Write& write : record_.writes) {
      const auto data = record_.data_of(write, parameters_);
      Late late{{}, {data.begin(), data.end()}};
      late.event.sequence = sequence;
      late.event.slot = write.slot;
      late.event.space = write.space;
      late.event.row = write.row;
      late.event.index = write.index;
      late.event.lanes = write.lanes;
      late.event.volatile_csr = write.slot == Slot::sb && is_volatile;
      late_.emplace(cycle_ + 1 + rng_.below(longest_write_delay), std::move(late));
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
  TimingSink* timing_sink_ = nullptr;
  std::optional<TimingProbe> timing_;
};

}  // namespace

std::unique_ptr<Machine> make_replay_machine(const Parameters& parameters, std::uint32_t seed) {
  return std::make_unique<ReplayMachine>(parameters, seed);
}

}  // namespace tandem
