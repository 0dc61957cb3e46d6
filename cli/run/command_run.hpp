// The device of a command, and the one run on it.
#pragma once

#include <memory>

#include "cli/run/options/launch_options.hpp"
#include "runtime/device/named_launch.hpp"

namespace tandem {

class CommandRun {
 public:
  // Starts immediately. The readers must outlive this.
  CommandRun(const runtime::DeviceOptions& options, const PreparedLaunch& prepared,
             const runtime::RunReaders& readers)
      : job_(options, prepared.image, prepared.inputs), run_(job_.start(readers)) {}

  [[nodiscard]] const runtime::NamedLaunch& job() const { return job_; }
  [[nodiscard]] const Image& image() const { return job_.image(); }
  [[nodiscard]] runtime::Run& run() { return *run_; }
  [[nodiscard]] Runner& runner() { return run_->runner(); }
  [[nodiscard]] const Runner& runner() const { return run_->runner(); }

 private:
  runtime::NamedLaunch job_;
  std::unique_ptr<runtime::Run> run_;
};

}  // namespace tandem
