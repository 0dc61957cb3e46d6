#include "cli/run/mismatch_wave_file.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/messages.hpp"
#include "cli/run/wave_view_file.hpp"
#include "cli/user_error.hpp"

namespace tandem {

MismatchWaveFile::MismatchWaveFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  claim_wave_and_view(path);
  file_ = std::make_unique<WaveFile>(path);
}

void MismatchWaveFile::ask_for(runtime::DeviceOptions& device) const {
  if (!file_) return;
  if (!device.lockstep.rtl) throw UserError{message::wave_without_rtl};
  device.machine.wave.path = file_->path();
}

void MismatchWaveFile::finish(const Runner& runner, nlohmann::json& files) {
  if (!file_) return;
  const std::string report = runner.explanation_json();
  if (report.empty()) return;
  const nlohmann::json wave = nlohmann::json::parse(report).value("wave", nlohmann::json());
  if (!wave.contains("first_cycle")) return;
  file_->commit();
  files["wave"] = write_wave_view(path_, wave["first_cycle"], wave["mismatch_cycle"]);
  const std::string view = files["wave"]["view"];
  fmt::print(stderr, "{}: open it with gtkwave {} {}\n", path_, path_, view);
}

}  // namespace tandem
