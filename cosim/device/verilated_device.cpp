#include "cosim/device/verilated_device.hpp"

#include <utility>

#include "cosim/lockstep/runners.hpp"
#include "runtime/models/cycle_machine.hpp"

namespace tandem {
namespace {

using runtime::DeviceModel;
using runtime::DeviceOptions;

class RtlDevice final : public DeviceModel {
 public:
  RtlDevice(std::unique_ptr<Machine> machine, const DeviceOptions& options)
      : machine_(std::move(machine)) {
    machine_->power_up(options.hbm_bytes, options.seed);
  }

  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    machine_->host_memory().write(address, bytes);
  }
  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const override {
    machine_->hbm().read(address, bytes);
  }
  std::unique_ptr<Runner> start(const Launch& launch, TimingSink* timing) override {
    RtlRunOptions options;
    options.timing = timing;
    return start_rtl(launch, machine_, options);
  }

 private:
  std::shared_ptr<Machine> machine_;
};

class LockstepDevice final : public DeviceModel {
 public:
  LockstepDevice(std::unique_ptr<Machine> machine, const Parameters& preset,
                 const DeviceOptions& options)
      : parts_{nullptr, std::move(machine), make_timed_machine(preset, {options.memory})} {
    options_.machine.memory = options.memory;
    options_.command = options.command;
    parts_.power_up(options.hbm_bytes, options.seed, options.detect_races,
                    options.detect_uninitialised);
  }

  // Each model has an HBM of its own, or nothing could differ.
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    parts_.golden->hbm().write(address, bytes);
    parts_.machine->host_memory().write(address, bytes);
    parts_.cycle_exact->host_memory().write(address, bytes);
  }
  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const override {
    parts_.machine->hbm().read(address, bytes);
  }
  std::unique_ptr<Runner> start(const Launch& launch, TimingSink* timing) override {
    options_.timing = timing;
    return start_lockstep(launch, parts_, options_);
  }

 private:
  LockstepParts parts_;
  LockstepOptions options_;
};

}  // namespace

std::unique_ptr<DeviceModel> make_verilated_device(VerilatedFactory make_machine,
                                                   const Parameters& preset,
                                                   const DeviceOptions& options) {
  MachineOptions machine;
  machine.memory = options.memory;
  if (options.model == runtime::Model::lockstep) {
    return std::make_unique<LockstepDevice>(make_machine(preset, machine), preset, options);
  }
  return std::make_unique<RtlDevice>(make_machine(preset, machine), options);
}

}  // namespace tandem
