#include "runtime/device/device_model.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tandem::runtime {
namespace {

GoldenOptions golden_options(const DeviceOptions& options) {
  GoldenOptions result;
  result.detect_races = options.detect_races;
  result.detect_uninitialised = options.detect_uninitialised;
  result.check_lifetimes = options.check_lifetimes;
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
  std::unique_ptr<Runner> start(const Launch& launch, const RunReaders& readers) override {
    return start_golden(launch, model_, readers.records);
  }
  GoldenModel* golden_model() override { return model_.get(); }

 private:
  std::shared_ptr<GoldenModel> model_;
};

class CycleDevice final : public DeviceModel {
 public:
  CycleDevice(const Parameters& preset, const DeviceOptions& options) {
    CycleOptions cycle;
    cycle.golden = golden_options(options);
    cycle.memory = options.machine.memory;
    model_ = std::make_shared<CycleModel>(preset, options.hbm_bytes, options.seed, cycle);
  }

  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    model_->golden().hbm().write(address, bytes);
  }
  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const override {
    std::as_const(*model_).golden().hbm().read(address, bytes);
  }
  std::unique_ptr<Runner> start(const Launch& launch, const RunReaders& readers) override {
    return start_cycle(launch, model_, readers.records, readers.timing);
  }
  GoldenModel* golden_model() override { return &model_->golden(); }
  CycleModel* cycle_model() override { return model_.get(); }

 private:
  std::shared_ptr<CycleModel> model_;
};

constexpr std::array<std::string_view, 4> names{"golden", "cycle", "rtl", "lockstep"};

}  // namespace

std::string_view model_name(Model model) { return names[static_cast<std::size_t>(model)]; }

std::optional<Model> find_model(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Model>(found - names.begin());
}

std::unique_ptr<DeviceModel> make_golden_device(const Parameters& preset,
                                                const DeviceOptions& options) {
  return std::make_unique<GoldenDevice>(preset, options);
}

std::unique_ptr<DeviceModel> make_cycle_device(const Parameters& preset,
                                               const DeviceOptions& options) {
  return std::make_unique<CycleDevice>(preset, options);
}

}  // namespace tandem::runtime
