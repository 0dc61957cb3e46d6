#include "runtime/device/device_model.hpp"

#include <utility>

namespace tandem::runtime {
namespace {

GoldenOptions golden_options(const DeviceOptions& options) {
  GoldenOptions result;
  result.detect_races = options.detect_races;
  result.detect_uninitialised = options.detect_uninitialised;
  return result;
}

class GoldenDevice final : public DeviceModel {
 public:
  GoldenDevice(const Parameters& preset, const DeviceOptions& options)
      : model_(std::make_shared<GoldenModel>(preset, options.hbm_bytes, options.seed,
                                             golden_options(options))) {}

  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    model_->hbm().write(address, bytes);
  }
  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const override {
    model_->hbm().read(address, bytes);
  }
  std::unique_ptr<Runner> start(const Launch& launch, TimingSink*) override {
    return start_golden(launch, model_, {});
  }

 private:
  std::shared_ptr<GoldenModel> model_;
};

class CycleDevice final : public DeviceModel {
 public:
  CycleDevice(const Parameters& preset, const DeviceOptions& options) {
    CycleOptions cycle;
    cycle.golden = golden_options(options);
    cycle.memory = options.memory;
    model_ = std::make_shared<CycleModel>(preset, options.hbm_bytes, options.seed, cycle);
  }

  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    model_->golden().hbm().write(address, bytes);
  }
  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const override {
    std::as_const(*model_).golden().hbm().read(address, bytes);
  }
  std::unique_ptr<Runner> start(const Launch& launch, TimingSink* timing) override {
    return start_cycle(launch, model_, {}, timing);
  }

 private:
  std::shared_ptr<CycleModel> model_;
};

}  // namespace

std::unique_ptr<DeviceModel> make_golden_device(const Parameters& preset,
                                                const DeviceOptions& options) {
  return std::make_unique<GoldenDevice>(preset, options);
}

std::unique_ptr<DeviceModel> make_cycle_device(const Parameters& preset,
                                               const DeviceOptions& options) {
  return std::make_unique<CycleDevice>(preset, options);
}

}  // namespace tandem::runtime
