#include "cli/run/files/mismatch_wave_file.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/files/wave_view_file.hpp"
#include "report/json/json_text.hpp"
#include "runtime/device/rtl_plugin.hpp"

namespace tandem {

MismatchWaveFile::MismatchWaveFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  claim_wave_and_view(path);
  file_ = std::make_unique<WaveFile>(path);
}

void MismatchWaveFile::ask_for(runtime::DeviceOptions& device) const {
  if (const auto options = options_for(device.lockstep)) device.machine.wave.path = options->path;
}

std::optional<MismatchWaveOptions> MismatchWaveFile::options_for(
    const runtime::LockstepModels& models) const {
  if (!file_) return std::nullopt;
  if (!models.rtl) throw UserError{message::wave_without_rtl};
  return MismatchWaveOptions{file_->path(), runtime::load_rtl_machine};
}

void MismatchWaveFile::finish(const std::string& report, nlohmann::json& files) {
  if (!file_ || report.empty()) return;
  const nlohmann::json wave = parse_json(report).value("wave", nlohmann::json());
  if (!wave.contains("first_cycle")) return;
  file_->commit();
  files["wave"] = write_wave_view(path_, wave["first_cycle"], wave["mismatch_cycle"]);
  const std::string view = files["wave"]["view"];
  fmt::print(stderr, "{}: open it with gtkwave {} {}\n", path_, path_, view);
}

}  // namespace tandem
