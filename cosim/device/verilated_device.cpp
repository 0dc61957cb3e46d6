#include "cosim/device/verilated_device.hpp"

#include <optional>
#include <thread>
#include <utility>

#include "cosim/faults/fault.hpp"
#include "cosim/lockstep/runners.hpp"
#include "runtime/device/rtl_plugin.hpp"
#include "runtime/error.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "runtime/snapshot/build_identity.hpp"

namespace tandem {
namespace {

using runtime::DeviceModel;
using runtime::DeviceOptions;
using runtime::Identity;
using runtime::RunReaders;

class RtlDevice final : public DeviceModel {
 public:
  RtlDevice(std::unique_ptr<Machine> machine, const DeviceOptions& options)
      : machine_(std::move(machine)), silence_(options.silence) {
    machine_->power_up(options.hbm_bytes, options.seed);
  }

  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    machine_->host_memory().write(address, bytes);
  }
  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const override {
    machine_->hbm().read(address, bytes);
  }
  std::unique_ptr<Runner> start(const Launch& launch, const RunReaders& readers) override {
    return start_rtl(launch, machine_, {silence_, readers.records, readers.timing});
  }
  std::vector<Machine*> machines() override { return {machine_.get()}; }
  Identity identity() const override { return {{"RTL", std::string(machine_->sources())}}; }

 private:
  std::shared_ptr<Machine> machine_;
  std::uint64_t silence_;
};

// `rtl` is nullptr if the cycle-exact model takes its place.
LockstepParts lockstep_parts(std::unique_ptr<Machine> rtl, const Parameters& preset,
                             const DeviceOptions& options) {
  LockstepParts parts;
  std::unique_ptr<Machine> first = std::move(rtl);
  if (!first) {
    first = make_cycle_machine(preset, options.machine);
  } else if (options.lockstep.cycle) {
    parts.cycle_exact = make_timed_machine(preset, options.machine);
  }
  if (!options.plant.empty()) {
    first = make_faulty_machine(std::move(first), parse_fault(options.plant), nullptr);
  }
  if (options.around) first = options.around(std::move(first));
  parts.machine = std::move(first);
  return parts;
}

// One for the machine, one for its followers.
std::uint32_t useful_threads() { return std::thread::hardware_concurrency() > 1 ? 2 : 1; }

class LockstepDevice final : public DeviceModel {
 public:
  LockstepDevice(std::unique_ptr<Machine> rtl, const Parameters& preset,
                 const DeviceOptions& options)
      : parts_(lockstep_parts(std::move(rtl), preset, options)) {
    options_.detect_races = options.detect_races;
    options_.detect_uninitialised = options.detect_uninitialised;
    options_.silence = options.silence;
    options_.machine = options.machine;
    options_.command = options.command;
    options_.threads = options.threads != 0 ? options.threads : useful_threads();
    options_.machine.wave = {};
    options_.wave = {options.machine.wave.path, runtime::load_rtl_machine};
    parts_.power_up(options.hbm_bytes, options.seed, options.detect_races,
                    options.detect_uninitialised);
  }

  // Each model has its own HBM, or nothing could differ.
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    parts_.golden->hbm().write(address, bytes);
    parts_.machine->host_memory().write(address, bytes);
    if (parts_.cycle_exact) parts_.cycle_exact->host_memory().write(address, bytes);
  }
  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const override {
    parts_.machine->hbm().read(address, bytes);
  }
  std::unique_ptr<Runner> start(const Launch& launch, const RunReaders& readers) override {
    options_.reader = readers.records;
    options_.timing = readers.timing;
    // Chips of a group look at each other's golden model.
    if (launch.chips > 1) options_.threads = 1;
    return start_lockstep(launch, parts_, options_);
  }
  GoldenModel* golden_beside() override { return parts_.golden.get(); }
  std::vector<Machine*> machines() override {
    if (parts_.cycle_exact) return {parts_.machine.get(), parts_.cycle_exact.get()};
    return {parts_.machine.get()};
  }
  Identity identity() const override {
    const std::string library =
        runtime::build_identity(reinterpret_cast<const void*>(&make_verilated_device));
    return {{"RTL", std::string(parts_.machine->sources())}, {"build of lockstep", library}};
  }

 private:
  LockstepParts parts_;
  LockstepOptions options_;
};

}  // namespace

std::unique_ptr<DeviceModel> make_verilated_device(VerilatedFactory make_machine,
                                                   const Parameters& preset,
                                                   const DeviceOptions& options) {
  if (options.model == runtime::Model::rtl) {
    return std::make_unique<RtlDevice>(make_machine(preset, options.machine), options);
  }
  if (!options.lockstep.rtl && !options.lockstep.cycle) {
    throw runtime::Error{runtime::ErrorCode::invalid_argument,
                         "lockstep needs a machine beside golden: rtl, cycle or both"};
  }
  std::unique_ptr<Machine> rtl;
  MachineOptions machine = options.machine;
  machine.wave = {};  // another machine writes it, once there is a mismatch
  if (options.lockstep.rtl) rtl = make_machine(preset, machine);
  return std::make_unique<LockstepDevice>(std::move(rtl), preset, options);
}

}  // namespace tandem
