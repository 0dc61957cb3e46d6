// The file that gets what the machine of a lockstep run tells (--record-events).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cosim/stream/stream_writer.hpp"
#include "host/output_file.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

// Made before the run, which it outlives.
class EventRecording {
 public:
  // "": nothing is recorded. Throws UserError for what can be no output.
  explicit EventRecording(std::string path);
  EventRecording(const EventRecording&) = delete;
  EventRecording& operator=(const EventRecording&) = delete;

  // Has the device's machine recorded; its other options have been set.
  void ask_for(runtime::DeviceOptions& device);
  // The run is over: the file is whole, and stands in `written`.
  void finish(nlohmann::json& written);

 private:
  std::string path_;
  std::optional<OutputFile> file_;
  std::optional<StreamWriter> writer_;
  bool stopped_ = false;  // the machine came to its end, and the stream with it
};

}  // namespace tandem
