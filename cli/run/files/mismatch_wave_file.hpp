// The waveform that lockstep leaves at a mismatch, and GTKWave's view of it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/files/wave_file.hpp"
#include "cosim/lockstep/mismatch_wave.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

class MismatchWaveFile {
 public:
  // Claims both files; "": none is wanted. Throws UserError.
  explicit MismatchWaveFile(const std::string& path);
  // Once the models are chosen. Throws UserError when there is no RTL among them.
  void ask_for(runtime::DeviceOptions& device) const;
  // The same for random programs; `Runs` has set_wave().
  template <typename Runs>
  void ask_for(Runs& runs, const runtime::LockstepModels& models) const {
    if (const auto options = options_for(models)) runs.set_wave(*options);
  }
  // After the run. With a waveform both files are written and added to `files`; without one an
  // older file stays unchanged.
  // `report` is the runner's explanation_json().
  void finish(const std::string& report, nlohmann::json& files);

 private:
  // Nothing if none is wanted. Throws UserError when there is no RTL among the models.
  [[nodiscard]] std::optional<MismatchWaveOptions> options_for(
      const runtime::LockstepModels& models) const;

  std::string path_;
  std::unique_ptr<WaveFile> file_;
};

}  // namespace tandem
