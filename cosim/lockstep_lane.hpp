// One machine of a lockstep run, with golden beside it.
#pragma once

#include <cstdint>
#include <memory>

#include "cosim/checker.hpp"
#include "cosim/machine.hpp"
#include "cosim/stream_counters.hpp"
#include "sim/timing_fan_out.hpp"

namespace tandem {

class LockstepLane {
 public:
  // The launch must outlive the lane.
  LockstepLane(const Launch& launch, const CheckerOptions& options,
               std::unique_ptr<Machine> machine)
      : launch_(launch),
        machine_(std::move(machine)),
        stream_(*launch.image->preset),
        checker_(launch, options, *machine_, stream_) {
    timing_.add(&stream_);
  }

  // Before start(): this sink reads the machine's timing events, too.
  void add_timing(TimingSink* sink) { timing_.add(sink); }
  void start() {
    machine_->set_timing(&timing_);
    machine_->start(launch_);
  }

  // Goes on until the machine has done all cycles before this one, or there is nothing more to do.
  void run_to(std::uint64_t cycle) {
    while (!over() && machine_->cycles() < cycle) stopped_ = !machine_->cycle(&checker_);
  }
  // The machine has stopped, or its comparison with golden has ended.
  [[nodiscard]] bool over() const { return stopped_ || checker_.ended(); }
  [[nodiscard]] bool stopped() const { return stopped_; }

  [[nodiscard]] Machine& machine() const { return *machine_; }
  [[nodiscard]] Checker& checker() { return checker_; }
  [[nodiscard]] const Checker& checker() const { return checker_; }

 private:
  const Launch& launch_;
  std::unique_ptr<Machine> machine_;
  StreamCounters stream_;
  TimingFanOut timing_;
  Checker checker_;
  bool stopped_ = false;
};

}  // namespace tandem
