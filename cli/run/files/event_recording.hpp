// The file that gets the events of the machine in a lockstep run (--record-events).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cosim/stream/stream_writer.hpp"
#include "host/output_file.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

// Created before the run, which it must outlive.
class EventRecording {
 public:
  // "": nothing is recorded. Throws UserError for an invalid output.
  explicit EventRecording(std::string path);
  EventRecording(const EventRecording&) = delete;
  EventRecording& operator=(const EventRecording&) = delete;

  // Sets up recording of the device's machine; its other options have been set.
  void ask_for(runtime::DeviceOptions& device);
  // The run has ended: the file is complete, and added to `written`.
  void finish(nlohmann::json& written);

 private:
  std::string path_;
  std::optional<OutputFile> file_;
  std::optional<StreamWriter> writer_;
  bool stopped_ = false;  // the machine reached its end, and so did the stream
};

}  // namespace tandem
