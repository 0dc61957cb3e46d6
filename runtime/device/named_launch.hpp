// A device for one program and its tensors by name, at consecutive addresses: for launches by the
// command line, the debugger or a tool for one job.
//
//   NamedLaunch job(options, image, {{"x", data}});
//   std::unique_ptr<Run> run = job.start({});
//   while (run->advance(100'000) == Outcome::running) show(job.read("y"));
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/device/digest.hpp"

namespace tandem::runtime {

// Not movable: runs refer to it.
class NamedLaunch {
 public:
  // `options.preset` and `options.rooms` are set from the image. Every input must be bound; sizes
  // come from declarations, from bound data, and for the rest from dimensions of the same name.
  // Throws LaunchError for errors in the user's bindings, else Error.
  NamedLaunch(DeviceOptions options, Image image, const std::map<std::string, TensorData>& bound);
  NamedLaunch(const NamedLaunch&) = delete;
  NamedLaunch& operator=(const NamedLaunch&) = delete;

  // An earlier run must be gone.
  [[nodiscard]] std::unique_ptr<Run> start(const RunReaders& readers);

  [[nodiscard]] Device& device() { return device_; }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] const Image& image() const { return program_->image(); }
  [[nodiscard]] const ProgramHandle& program() const { return program_; }
  // In the order of the program's.
  [[nodiscard]] const std::vector<TensorHandle>& tensors() const { return tensors_; }
  // Throws LaunchError when the program has no tensor of that name.
  [[nodiscard]] const DeviceTensor& tensor(std::string_view name) const;
  // Its current contents.
  [[nodiscard]] TensorData read(std::string_view name) const;
  // Of the bound data: checksum and size, for snapshots.
  [[nodiscard]] std::string inputs_digest() const { return inputs_.text(); }

 private:
  void place(const Tensor& sized, const std::map<std::string, TensorData>& bound);

  Device device_;
  ProgramHandle program_;
  std::vector<TensorHandle> tensors_;
  Digest inputs_;  // of all bound data
};

}  // namespace tandem::runtime
