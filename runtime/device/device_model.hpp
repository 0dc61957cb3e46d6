// What a device runs programs on: one of the models, powered up. HBM and everything else that a
// start keeps outlive launches.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "isa/launch.hpp"
#include "runtime/models/runner.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem::runtime {

enum class Model : std::uint8_t { golden, cycle, rtl, lockstep };

struct DeviceOptions {
  std::string preset = "small";
  Model model = Model::golden;
  std::uint64_t hbm_bytes = std::uint64_t{4} << 30U;  // a multiple of 64 KiB
  std::uint32_t seed = 1;                             // of never-written state
  bool detect_races = true;
  bool detect_uninitialised = true;
  MemoryTimingParameters memory;
  std::string command;  // for reports: repeats a run
};

class DeviceModel {
 public:
  virtual ~DeviceModel() = default;
  // HBM, between launches. Addresses have been checked.
  virtual void write(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  virtual void read(std::uint64_t address, std::span<std::uint8_t> bytes) const = 0;
  // Starts the machine; an earlier run must be gone. The launch must outlive the run.
  virtual std::unique_ptr<Runner> start(const Launch& launch, TimingSink* timing) = 0;
};

std::unique_ptr<DeviceModel> make_golden_device(const Parameters& preset,
                                                const DeviceOptions& options);
std::unique_ptr<DeviceModel> make_cycle_device(const Parameters& preset,
                                               const DeviceOptions& options);

}  // namespace tandem::runtime
