// A machine with memory of its own: programs are loaded once and launched many times on tensors
// that are already there.
//
//   Device device({.preset = "small", .model = Model::golden});
//   ProgramHandle program = device.load(elf_bytes);
//   TensorHandle x = device.allocate(ElementType::f32, {16, 64});
//   device.write(*x, bytes);
//   LaunchResult result = device.launch(*program, std::vector{x, y});
//
// One thread at a time drives a device; different devices may be driven by different threads at the
// same time. Handles may be dropped by any thread. Everything throws Error.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/golden/finding.hpp"
#include "isa/golden/unwritten_outputs.hpp"
#include "isa/launch/tensor_layout.hpp"
#include "runtime/device/device_model.hpp"
#include "runtime/device/hbm_allocator.hpp"
#include "runtime/device/program.hpp"
#include "runtime/device/run.hpp"
#include "runtime/error.hpp"

namespace tandem {
struct FoundMachine;
}

namespace tandem::runtime {

// A tensor in the HBM of one device; its memory is free again once the last handle is gone.
class DeviceTensor {
 public:
  DeviceTensor(std::shared_ptr<HbmAllocator> owner, PlacedTensor placed)
      : owner_(std::move(owner)), placed_(std::move(placed)) {}
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;
  ~DeviceTensor() { owner_->free(placed_.address); }

  [[nodiscard]] ElementType type() const { return placed_.tensor.type; }
  [[nodiscard]] const std::vector<std::int64_t>& dimensions() const {
    return placed_.tensor.dimensions;
  }
  [[nodiscard]] const PlacedTensor& placed() const { return placed_; }
  // In HBM, padding included.
  [[nodiscard]] std::uint64_t bytes() const { return placed_.bytes; }
  [[nodiscard]] bool belongs_to(const HbmAllocator& memory) const {
    return owner_.get() == &memory;
  }

 private:
  std::shared_ptr<HbmAllocator> owner_;
  PlacedTensor placed_;
};
using TensorHandle = std::shared_ptr<const DeviceTensor>;

struct LaunchOptions {
  std::uint64_t limit = 0;       // steps: bundles on golden, cycles elsewhere; 0: none
  TimingSink* timing = nullptr;  // gets timing events, on models that know time
  const std::atomic<bool>* interrupt = nullptr;  // true: give up soon
  std::function<bool()> between = {};            // called periodically; false: give up
};

struct LaunchResult {
  Outcome outcome = Outcome::running;  // running: the limit was met or the run interrupted
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;  // 0 on golden
  double seconds = 0;        // of the host
  std::optional<CounterValues> counters;
  Trap trap;
  std::uint32_t pc = 0;
  std::optional<Finding> finding;
  std::vector<UnwrittenOutput> unwritten;  // halted: outputs with holes; unknown on the RTL alone
  std::string report;                      // how it ended, for people
  std::string report_json;                 // of a mismatch; else ""
};

// The chip number and the number of chips of a launch; a group runs several
// (runtime/group/group.hpp).
struct GroupPlace {
  std::uint32_t chip = 0;
  std::uint32_t chips = 1;
};

class Device {
 public:
  // Throws Error when there is no such preset, or no RTL for it if the model needs one.
  explicit Device(const DeviceOptions& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const Parameters& parameters() const { return *preset_; }
  [[nodiscard]] const DeviceOptions& options() const { return options_; }
  [[nodiscard]] MemoryUse memory() const { return memory_->use(); }

  // Contents are undefined; padding is zero. Rank 0 to max_rank; zero-size tensors are tensors.
  TensorHandle allocate(ElementType type, std::vector<std::int64_t> dimensions);
  // `packed`: the elements row-major, without padding; exactly as many bytes.
  void write(const DeviceTensor& tensor, std::span<const std::uint8_t> packed);
  void read(const DeviceTensor& tensor, std::span<std::uint8_t> packed) const;
  // Bytes as they are in memory, from `first` on; may also be read between slices of a run.
  void write_part(const DeviceTensor& tensor, std::uint64_t first,
                  std::span<const std::uint8_t> bytes);
  void read_part(const DeviceTensor& tensor, std::uint64_t first,
                 std::span<std::uint8_t> bytes) const;
  // A new tensor with the same contents.
  TensorHandle clone(const DeviceTensor& tensor);

  // A linked program (ELF) built for this preset.
  ProgramHandle load(std::span<const std::uint8_t> elf);
  ProgramHandle load(Image image);

  // Starts the program on `tensors`, one for each that it declares, in that order, of the declared
  // type and sizes, and runs it to completion. A trap, a finding or a mismatch is a result, not an
  // Error.
  LaunchResult launch(const Program& program, std::span<const TensorHandle> tensors,
                      const LaunchOptions& options = {});
  // The same in slices, of a program and tensors that the run keeps alive. One run at a time.
  std::unique_ptr<Run> start(ProgramHandle program, std::span<const TensorHandle> tensors,
                             const RunReaders& readers = {}, const GroupPlace& place = {});

  // For groups, which use the same addresses on all devices: the size of a tensor (throws Error as
  // allocate() does), a free address, and a tensor at an address found by memory_room().
  [[nodiscard]] TensorLayout checked_layout(ElementType type,
                                            const std::vector<std::int64_t>& dimensions) const;
  [[nodiscard]] const HbmAllocator& memory_room() const { return *memory_; }
  TensorHandle allocate_at(ElementType type, std::vector<std::int64_t> dimensions,
                           std::uint64_t address);

  // For tools that step through a program or look into the machine, between slices; nullptr on
  // other models. The cycle-exact model contains a golden one.
  [[nodiscard]] GoldenModel* golden_model() { return model_->golden_model(); }
  [[nodiscard]] CycleModel* cycle_model() { return model_->cycle_model(); }
  // For a chip of a group, on models that are machines.
  [[nodiscard]] GoldenModel* golden_beside() { return model_->golden_beside(); }
  [[nodiscard]] std::vector<Machine*> machines() { return model_->machines(); }

  // The description of the model in snapshots, besides its options.
  [[nodiscard]] Identity model_identity() const { return model_->identity(); }

 private:
  Device(DeviceOptions options, const FoundMachine& machine);
  void check_owner(const DeviceTensor& tensor) const;
  void check_part(const DeviceTensor& tensor, std::uint64_t first, std::uint64_t bytes) const;
  // Throws Error if tensors are in the way of a program that exceeds the space for programs.
  void make_room(const Image& image);
  Launch make_launch(const Program& program, std::span<const TensorHandle> tensors) const;

  const Parameters* preset_;
  DeviceOptions options_;
  HbmRooms rooms_;
  std::shared_ptr<HbmAllocator> memory_;
  std::unique_ptr<DeviceModel> model_;
};

}  // namespace tandem::runtime
