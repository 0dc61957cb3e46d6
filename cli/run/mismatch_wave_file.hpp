// The waveform that lockstep leaves at a mismatch, and GTKWave's view of it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/files/wave_file.hpp"
#include "runtime/device/device_model.hpp"
#include "runtime/models/runner.hpp"

namespace tandem {

class MismatchWaveFile {
 public:
  // Claims both files; "": none is wanted. Throws UserError.
  explicit MismatchWaveFile(const std::string& path);
  // Once the models are chosen. Throws UserError when there is no RTL among them.
  void ask_for(runtime::DeviceOptions& device) const;
  // After the run. With a waveform both files are written and told in `files`; without one an older
  // file stays as it was.
  void finish(const Runner& runner, nlohmann::json& files);

 private:
  std::string path_;
  std::unique_ptr<WaveFile> file_;
};

}  // namespace tandem
