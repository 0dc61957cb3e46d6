#include "cli/run/mismatch_wave_file.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/messages.hpp"
#include "cli/user_error.hpp"
#include "cosim/verilated/wave_view.hpp"

namespace tandem {

MismatchWaveFile::MismatchWaveFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  const std::string view = wave_view_path(path);
  if (view == path) throw UserError{fmt::format(message::wave_is_signal_list, path)};
  claim_output(path);
  claim_output(view);
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
  const std::string view = wave_view_path(path_);
  OutputFile file(view);
  file.write(wave_view(path_, wave["first_cycle"], wave["mismatch_cycle"]));
  file.close();
  files["wave"] = {{"file", path_}, {"view", view}};
  fmt::print(stderr, "{}: open it with gtkwave {} {}\n", path_, path_, view);
}

}  // namespace tandem
