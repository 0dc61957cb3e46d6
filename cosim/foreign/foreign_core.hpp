// A foreign core as lockstep sees it: a machine that replays the reported events.
//
// The driver of the core reports its events and its state; cycle() passes lockstep the events of
// the next cycle that has some. Its memory consists only of the reported data.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cosim/checker/core_terms.hpp"
#include "cosim/checker/event_batch.hpp"
#include "isa/golden/golden_model.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

class ForeignCore final : public Machine {
 public:
  // Words of HBM from a word on; false: it does not know.
  using HbmReader = std::function<bool(std::uint64_t first, std::span<std::uint32_t> words)>;

  ForeignCore(const Parameters& parameters, std::uint64_t hbm_bytes, CoreTerms& terms);

  // ---- input ----

  // The cycle of the events to come; never an earlier one.
  void set_cycle(std::uint64_t cycle);
  [[nodiscard]] std::uint64_t told_cycle() const { return open_->cycle; }
  [[nodiscard]] EventSink& events() { return open_->events; }
  // nullptr while times are not compared.
  [[nodiscard]] TimingSink* timing() { return timing_; }
  // Complete cycles with events not yet passed to lockstep, and cycles up to the open one.
  [[nodiscard]] std::size_t waiting_groups() const { return groups_.size(); }
  [[nodiscard]] std::uint64_t waiting_cycles() const { return open_->cycle - cycles_; }
  // A part of the state at the end, with all its words; for hbm any number.
  void tell(CorePart part, std::uint64_t first, std::span<const std::uint32_t> words);
  // Parts of HBM not reported are as in the launch.
  void rest_of_hbm_is_unchanged() { hbm_is_whole_ = true; }
  // Called at the end for the pages that golden has touched.
  void set_hbm_reader(HbmReader reader) { hbm_reader_ = std::move(reader); }
  // Nothing follows; parts of HBM that were not reported are taken from golden.
  void stop(const GoldenModel& golden);
  // Everything has been passed to lockstep.
  [[nodiscard]] bool stopped() const { return stopped_; }

  // ---- queries of lockstep ---

  std::string_view name() const override { return "core"; }
  const Parameters& parameters() const override { return parameters_; }
  void set_memory(const MemoryTimingParameters&) override {}
  void power_up(std::uint64_t, std::uint32_t) override {}
  void start(const Launch&) override {}
  void set_timing(TimingSink* sink) override { timing_ = sink; }
  bool cycle(EventSink* sink) override;
  std::uint64_t cycles() const override { return cycles_; }
  std::uint64_t bundles() const override { return 0; }
  std::uint64_t memory_beats() const override { return 0; }
  StallCause cause() const override { return StallCause::issued; }
  MachineState state() const override;
  const SparseMemory& hbm() const override;
  // As the launch begins.
  SparseMemory& host_memory() override { return hbm_; }
  MachineStatus status() override;
  std::uint32_t read_register(std::uint32_t number) override;
  CounterValues counters() override;

 private:
  // Of one cycle.
  struct Group {
    explicit Group(const Parameters& parameters) : events(parameters) {}
    std::uint64_t cycle = 0;
    EventBatch events;
  };
  struct HbmRun {
    std::uint64_t first = 0;
    std::vector<std::uint32_t> words;
  };

  void close_group();
  [[nodiscard]] const std::vector<std::uint32_t>& words_of(CorePart part) const {
    return words_[static_cast<std::size_t>(part)];
  }
  void ask_for_pages() const;
  [[nodiscard]] bool all_of_hbm_is_told() const;  // in one run

  Parameters parameters_;
  CoreTerms& terms_;
  std::unique_ptr<Group> open_;
  std::deque<std::unique_ptr<Group>> groups_;   // complete, oldest first
  std::vector<std::unique_ptr<Group>> unused_;  // for reuse
  TimingSink* timing_ = nullptr;
  std::uint64_t cycles_ = 0;
  bool closed_ = false;
  bool stopped_ = false;

  std::array<std::vector<std::uint32_t>, core_part_count> words_;
  SparseMemory hbm_;
  mutable std::vector<HbmRun> hbm_runs_;
  bool hbm_is_whole_ = false;
  HbmReader hbm_reader_;
  const GoldenModel* golden_ = nullptr;
  mutable SparseMemory final_hbm_;
  mutable bool has_final_hbm_ = false;
};

}  // namespace tandem
