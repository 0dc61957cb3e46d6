// A machine that forwards everything to another one; a wrapper overrides what it changes.
//
// vmem(), smem() and counters() are not forwarded: they are derived from state() and
// read_register(), so that overriding these changes them, too. Nor are snapshots, which have to
// hold the wrapper's own state.
#pragma once

#include <memory>
#include <utility>

#include "runtime/models/machine.hpp"

namespace tandem {

class ForwardingMachine : public Machine {
 public:
  explicit ForwardingMachine(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}

  std::string_view name() const override { return machine_->name(); }
  const Parameters& parameters() const override { return machine_->parameters(); }
  void set_memory(const MemoryTimingParameters& memory) override { machine_->set_memory(memory); }
  void set_reset_seed(std::uint32_t seed) override { machine_->set_reset_seed(seed); }
  void power_up(std::uint64_t hbm_bytes, std::uint32_t seed) override {
    machine_->power_up(hbm_bytes, seed);
  }
  void start(const Launch& launch) override { machine_->start(launch); }
  void set_timing(TimingSink* sink) override { machine_->set_timing(sink); }
  bool tie(GroupLinks& links) override { return machine_->tie(links); }
  bool program_runs() const override { return machine_->program_runs(); }
  bool still() const override { return machine_->still(); }
  CycleModel* cycle_model() override { return machine_->cycle_model(); }
  bool cycle(EventSink* sink) override { return machine_->cycle(sink); }
  std::uint64_t cycles() const override { return machine_->cycles(); }
  std::uint64_t bundles() const override { return machine_->bundles(); }
  std::uint64_t memory_beats() const override { return machine_->memory_beats(); }
  StallCause cause() const override { return machine_->cause(); }
  MachineState state() const override { return machine_->state(); }
  const SparseMemory& hbm() const override { return machine_->hbm(); }
  SparseMemory& host_memory() override { return machine_->host_memory(); }
  MachineStatus status() override { return machine_->status(); }
  std::uint32_t read_register(std::uint32_t number) override {
    return machine_->read_register(number);
  }
  std::string_view sources() const override { return machine_->sources(); }
  void save_registers(ArchiveWriter& archive) override { machine_->save_registers(archive); }

 protected:
  [[nodiscard]] Machine& inner() { return *machine_; }
  [[nodiscard]] const Machine& inner() const { return *machine_; }

 private:
  std::unique_ptr<Machine> machine_;
};

}  // namespace tandem
