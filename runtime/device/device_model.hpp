// The model on which a device runs programs, powered up. HBM and everything else that a start keeps
// outlive launches.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/launch/launch.hpp"
#include "runtime/device/snapshot_file.hpp"
#include "runtime/models/runner.hpp"

namespace tandem::runtime {

enum class Model : std::uint8_t { golden, cycle, rtl, lockstep };

std::string_view model_name(Model model);
std::optional<Model> find_model(std::string_view name);
// Golden and cycle-exact model, not the Verilated ones.
constexpr bool is_fast(Model model) { return model == Model::golden || model == Model::cycle; }

// The layout of HBM, in bytes, multiples of 4096: programs at the bottom, the argument block of a
// launch above them, tensors above that.
struct HbmRooms {
  std::uint64_t programs = 0;
  std::uint64_t arguments = 0;
};

// The machines that a lockstep run compares with golden, and in time with each other: at least one.
struct LockstepModels {
  bool rtl = true;
  bool cycle = true;
};

struct DeviceOptions {
  std::string preset = "small";
  Model model = Model::golden;
  std::uint64_t hbm_bytes = std::uint64_t{4} << 30U;  // a multiple of 64 KiB
  std::uint32_t seed = 1;                             // of never-written state
  bool detect_races = true;
  bool detect_uninitialised = true;
  bool check_lifetimes = false;  // of programs that declare which buffers they touch; golden only
  MachineOptions machine;        // waveforms: of model rtl; of lockstep: starting before a mismatch
  std::string command;           // for reports: repeats a run
  LockstepModels lockstep;       // what a lockstep device consists of
  // Of a lockstep run: 1, or 2 so that the other models follow the RTL in their own thread, which
  // then calls RunReaders, while advance() runs. The findings are the same. 0: 2 if there are two
  // processors.
  std::uint32_t threads = 0;
  // A fault planted on purpose, to show that lockstep sees it: "write.data", "write.data@100".
  std::string plant;
  // Wraps the machine that lockstep compares with golden, including the planted fault: in a
  // recorder of its events, for example. Empty: no wrapper.
  std::function<std::unique_ptr<Machine>(std::unique_ptr<Machine>)> around;
  std::uint64_t silence = default_silence;  // of the RTL
  std::optional<HbmRooms> rooms;            // absent: initially the lowest quarter
};

// The readers of a run; both may be empty.
struct RunReaders {
  TimingSink* timing = nullptr;  // gets timing events, on models that know time
  RecordReader records;          // gets the effects of every bundle
};

class DeviceModel {
 public:
  virtual ~DeviceModel() = default;
  // HBM, between launches. Addresses have been checked.
  virtual void write(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  virtual void read(std::uint64_t address, std::span<std::uint8_t> bytes) const = 0;
  // Starts the machine; an earlier run must be gone. The launch must outlive the run.
  virtual std::unique_ptr<Runner> start(const Launch& launch, const RunReaders& readers) = 0;
  // For tools that step through a program; nullptr on other models.
  virtual GoldenModel* golden_model() { return nullptr; }
  virtual CycleModel* cycle_model() { return nullptr; }
  // As a chip of a group: the golden model that runs in parallel, and the machines, which have
  // links.
  virtual GoldenModel* golden_beside() { return nullptr; }
  virtual std::vector<Machine*> machines() { return {}; }
  // The description, in a snapshot, of a model that is not in this library: which RTL, and its
  // build.
  [[nodiscard]] virtual Identity identity() const { return {}; }
};

std::unique_ptr<DeviceModel> make_golden_device(const Parameters& preset,
                                                const DeviceOptions& options);
std::unique_ptr<DeviceModel> make_cycle_device(const Parameters& preset,
                                               const DeviceOptions& options);

}  // namespace tandem::runtime
