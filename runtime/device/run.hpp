// A launch in execution on a device, which outlives it. Between calls to advance() tensors may be
// read, so that a tool can show results while they appear.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "isa/launch/launch.hpp"
#include "runtime/models/runner.hpp"

namespace tandem::runtime {

class DeviceTensor;
class Program;

class Run {
 public:
  // For Device.
  Run(Launch launch, std::shared_ptr<const Program> program,
      std::vector<std::shared_ptr<const DeviceTensor>> tensors)
      : launch_(std::move(launch)), program_(std::move(program)), tensors_(std::move(tensors)) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Runs at most this many steps: bundles on golden, cycles elsewhere.
  Outcome advance(std::uint64_t steps) { return runner_->advance(steps); }
  [[nodiscard]] Runner& runner() { return *runner_; }
  [[nodiscard]] const Runner& runner() const { return *runner_; }
  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] const Image& image() const { return *launch_.image; }

 private:
  friend class Device;

  Launch launch_;
  std::shared_ptr<const Program> program_;
  std::vector<std::shared_ptr<const DeviceTensor>> tensors_;  // theirs until the end
  std::unique_ptr<Runner> runner_;                            // refers to launch_
};

}  // namespace tandem::runtime
