#include "cli/run/files/event_recording.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cosim/stream/recording_machine.hpp"

namespace tandem {

EventRecording::EventRecording(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) claim_output(path_);
}

void EventRecording::ask_for(runtime::DeviceOptions& device) {
  if (path_.empty()) return;
  file_.emplace(path_);
  device.around = [this, memory = device.machine.memory, hbm_bytes = device.hbm_bytes,
                   seed = device.seed](std::unique_ptr<Machine> machine) {
    writer_.emplace(machine->parameters(), stream_header(*machine, memory, hbm_bytes, seed),
                    [this](std::string_view bytes) { file_->write(bytes); });
    return make_recording_machine(std::move(machine), *writer_, &stopped_);
  };
}

void EventRecording::finish(nlohmann::json& written) {
  if (path_.empty()) return;
  if (!stopped_) writer_->end(0);
  file_->close();
  written["record_events"] = path_;
}

}  // namespace tandem
