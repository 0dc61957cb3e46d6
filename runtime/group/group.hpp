// Devices that run one program together, each as a chip with a number, so that copies go from one
// to another (docs/reference.md, section 5).
//
//   Group group({&device0, &device1});
//   std::vector<TensorHandle> y = group.allocate(ElementType::f32, {16});
//   GroupResult result = group.launch({{{program0, {x0, y[0]}}, {program1, {x1, y[1]}}}});
//
// In a group the program and its results are at the same addresses on every chip, so that a chip
// knows the addresses on others; arguments may be anywhere. One thread drives all devices while a
// launch runs. Everything throws Error.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/device.hpp"

namespace tandem::runtime {

// The launch of one chip: the same image everywhere, loaded by its device, on tensors of its
// device.
struct GroupMember {
  ProgramHandle program;
  std::vector<TensorHandle> tensors;
};

struct GroupResult {
  // halted: every chip; deadlock: every chip waits or has halted; running: the limit was met, or
  // the run interrupted; else how `chip` ended, and with it the run.
  Outcome outcome = Outcome::running;
  std::optional<std::uint32_t> chip;
  std::vector<LaunchResult> chips;  // by chip; outcome running: still going when the group ended
  std::string report;               // how it ended, for people
};

class Group {
 public:
  // 2 to 64 devices of one machine and model, chip by chip, which outlive the group. Models without
  // links are refused by name.
  explicit Group(std::vector<Device*> devices);

  // A tensor at one address on every device, chip by chip.
  std::vector<TensorHandle> allocate(ElementType type, const std::vector<std::int64_t>& dimensions);
  // Whether these, one of each device, are at one address.
  static bool lie_alike(std::span<const TensorHandle> tensors);
  // New ones at one address, each with the same contents.
  std::vector<TensorHandle> clone(std::span<const TensorHandle> tensors);

  // Starts all chips and runs them to completion. `limit` counts steps of a chip: bundles, or
  // cycles on a model with time; timing events are not reported. A result whose address differs
  // between chips is an Error.
  GroupResult launch(std::span<const GroupMember> members, const LaunchOptions& options = {});

 private:
  std::vector<Device*> devices_;
};

}  // namespace tandem::runtime
