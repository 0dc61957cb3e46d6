// The cycle-exact model: the effects of a program and their times. Golden's semantics, each bundle
// executed in the cycle in which the RTL issues it, with the RTL's reason for every cycle in which
// none does.
//
//   CycleModel model(launch);
//   while (model.run(1'000'000) == RunStatus::running) { ... }
//   CounterValues counters = model.counters();        // those of the RTL, to the last cycle
//
// Issue is in order and every latency but the memory's is known at issue, so the model computes the
// issue cycle of a bundle from that of earlier ones instead of ticking units; the memory side
// (memory_side.hpp) follows on demand. rtl/README.md is the contract for both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "isa/golden/golden_model.hpp"
#include "isa/launch/launch.hpp"
#include "sim/events/counter_values.hpp"
#include "sim/events/timing_events.hpp"
#include "sim/link/link_ring.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem {

struct CycleOptions {
  GoldenOptions golden;  // volatile_csr is the model's own: the value that the RTL would read
  MemoryTimingParameters memory;
  TimingSink* sink = nullptr;
};

class CycleModel {
 public:
  // The state of time between two bundles, without golden's: a plain value.
  struct Time;

  // Loads the launch, whose image must outlive the model, and starts at cycle 0.
  explicit CycleModel(const Launch& launch, CycleOptions options = {});
  // Powers up only, as GoldenModel.
  CycleModel(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
             CycleOptions options = {});
  // Starts (again) at cycle 0, as GoldenModel::start.
  void start(const Launch& launch);
  CycleModel(CycleModel&&) noexcept;
  CycleModel& operator=(CycleModel&&) noexcept;
  ~CycleModel();

  // Right after a start: until the next one this is a chip of a group, with these links
  // (sim/time/cycle_group.hpp). It must be run by run_window() only.
  void tie(const LinkPorts<LinkBeat>& ports);
  // run_until(), and everything else that happens before this cycle, also when the chip has ended.
  RunStatus run_window(std::uint64_t cycle);
  // The same in parts, for callers that stop on the way: the rest once it is at this cycle.
  void end_window(std::uint64_t cycle);
  // For a chip of a group: it waits for others to add to a flag, or has ended, and no copy or link
  // transfer is in progress.
  [[nodiscard]] bool still() const;

  // Executes one bundle, as GoldenModel::step. A halt or trap also waits until everything in flight
  // is complete; a finding ends the model with its bundle.
  RunStatus step(RetireRecord* record);
  // The same if the bundle issues before this cycle; else the model stays there, with an empty
  // record, and the next call continues.
  RunStatus step_before(std::uint64_t cycle, RetireRecord* record);
  // Executes at most `limit` bundles.
  RunStatus run(std::uint64_t limit);
  // The same, but stops before marked bundles, as GoldenModel::run_to.
  RunStatus run_to(std::uint64_t limit, std::span<const std::uint8_t> stops);
  // Executes every bundle that issues before this cycle and no other; `running` while the machine
  // still runs in it, even if it only drains.
  RunStatus run_until(std::uint64_t cycle);
  // The same, but stops before a bundle that reads a volatile CSR.
  RunStatus run_until_read(std::uint64_t cycle);

  // The host stops the machine: nothing issues from cycle() on, or once the start has cleared SMEM.
  // Further runs drain it; then status() is halted, though no halt has issued: golden().status()
  // shows that. Does nothing after a halt or trap.
  void stop();

  // The cycle at whose beginning the model is: one after the last bundle's, the one where
  // run_until() stopped, or, at the end, the number of cycles from start to end.
  [[nodiscard]] std::uint64_t cycle() const;
  // In which the last bundle issued, or its trap was decided.
  [[nodiscard]] std::uint64_t issue_cycle() const;
  // The values of the RTL's registers at the beginning of cycle().
  [[nodiscard]] CounterValues counters() const;

  // As for GoldenModel, but a halted or trapped machine is `running` until it has drained.
  [[nodiscard]] RunStatus status() const;
  [[nodiscard]] const Trap& trap() const;
  [[nodiscard]] std::uint32_t pc() const;
  [[nodiscard]] const std::optional<Finding>& finding() const;
  [[nodiscard]] std::uint64_t bundles() const;

  // Events from now on go here; nullptr: nowhere, at full speed.
  void set_sink(TimingSink* sink);

  // State, HBM and parameters. Must not be stepped.
  [[nodiscard]] const GoldenModel& golden() const;
  [[nodiscard]] GoldenModel& golden();

  // Time alone, for snapshots that keep golden's state separately; the sink is not part of it.
  [[nodiscard]] const Time& time() const;
  void set_time(const Time& time);

  // Golden's state and time as bytes; the sink is not part of them. As GoldenModel::save_to().
  void save_to(ArchiveWriter& archive);
  void restore_from(ArchiveReader& archive);

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace tandem
