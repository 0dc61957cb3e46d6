#include "runtime/group/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "isa/launch/tensor_layout.hpp"
#include "runtime/device/messages.hpp"
#include "runtime/group/group_driver.hpp"
#include "runtime/group/group_text.hpp"

namespace tandem::runtime {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t slice = 200'000;  // steps of a chip between checks whether to continue

[[noreturn]] void refuse(std::string message) {
  throw Error{ErrorCode::invalid_argument, std::move(message)};
}

// The first address, in the allocators' order, at which all have room.
std::optional<std::uint64_t> common_address(std::span<Device* const> devices, std::uint64_t bytes) {
  std::optional<std::uint64_t> address;
  for (bool moved = true; moved;) {
    moved = false;
    for (const Device* device : devices) {
      const auto found = device->memory_room().find(bytes, address);
      if (!found) return std::nullopt;
      moved = moved || found != address;
      address = found;
    }
  }
  return address;
}

void check_results(std::span<const GroupMember> members) {
  const std::span<const Tensor> declared = members[0].program->tensors();
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (!declared[i].output) continue;
    std::vector<TensorHandle> result;
    for (const GroupMember& member : members) {
      if (i < member.tensors.size()) result.push_back(member.tensors[i]);
    }
    if (!Group::lie_alike(result)) refuse(fmt::format(message::result_apart, declared[i].name));
  }
}

Outcome outcome_of(GroupStatus status, const GroupDriver& group) {
  switch (status) {
    case GroupStatus::running: return Outcome::running;
    case GroupStatus::halted: return Outcome::halted;
    case GroupStatus::deadlocked: return Outcome::deadlock;
    case GroupStatus::ended: break;
  }
  return group.outcome_of(*group.ended_by());
}

}  // namespace

Group::Group(std::vector<Device*> devices) : devices_(std::move(devices)) {
  if (devices_.size() < 2 || devices_.size() > max_chips) {
    refuse(fmt::format(message::group_size, devices_.size(), max_chips));
  }
  for (const Device* device : devices_) {
    const Model model = device->options().model;
    const bool alike = &device->parameters() == &devices_[0]->parameters() &&
                       model == devices_[0]->options().model;
    if (!alike) refuse(message::group_of_machines);
  }
}

std::vector<TensorHandle> Group::allocate(ElementType type,
                                          const std::vector<std::int64_t>& dimensions) {
  const TensorLayout layout = devices_[0]->checked_layout(type, dimensions);
  const auto address = common_address(devices_, layout.bytes());
  if (!address) {
    throw Error{ErrorCode::out_of_memory,
                fmt::format(message::group_full, layout.bytes(), devices_.size())};
  }
  std::vector<TensorHandle> tensors;
  tensors.reserve(devices_.size());
  for (Device* device : devices_) {
    tensors.push_back(device->allocate_at(type, dimensions, *address));
  }
  return tensors;
}

bool Group::lie_alike(std::span<const TensorHandle> tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [&](const TensorHandle& tensor) {
    return tensor->placed().address == tensors[0]->placed().address;
  });
}

std::vector<TensorHandle> Group::clone(std::span<const TensorHandle> tensors) {
  std::vector<TensorHandle> copies = allocate(tensors[0]->type(), tensors[0]->dimensions());
  std::vector<std::uint8_t> bytes(copies[0]->bytes());
  for (std::size_t chip = 0; chip < devices_.size(); ++chip) {
    devices_[chip]->read_part(*tensors[chip], 0, bytes);
    devices_[chip]->write_part(*copies[chip], 0, bytes);
  }
  return copies;
}

GroupResult Group::launch(std::span<const GroupMember> members, const LaunchOptions& options) {
  if (members.size() != devices_.size()) {
    refuse(fmt::format(message::group_members, devices_.size(), members.size()));
  }
  check_results(members);
  std::vector<std::unique_ptr<Run>> runs;
  runs.reserve(devices_.size());
  for (std::uint32_t chip = 0; chip < devices_.size(); ++chip) {
    runs.push_back(devices_[chip]->start(members[chip].program, members[chip].tensors, {},
                                         {chip, static_cast<std::uint32_t>(devices_.size())}));
  }
  const std::unique_ptr<GroupDriver> driver = make_group_driver(devices_, runs);
  RunResult run{Outcome::running, options.limit, 0};
  const Clock::time_point start = Clock::now();
  const auto goes_on = [&options] {
    const bool raised =
        options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed);
    return !raised && (!options.between || options.between());
  };
  GroupStatus status = driver->status();
  for (std::uint64_t done = 0; status == GroupStatus::running;) {
    const std::uint64_t steps = options.limit == 0 ? slice : std::min(slice, options.limit - done);
    if (steps == 0) break;
    status = driver->run(steps);
    done += steps;
    run.interrupted = status == GroupStatus::running && !goes_on();
    if (run.interrupted) break;
  }
  run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  run.outcome = outcome_of(status, *driver);
  return group_result(*driver, runs, run);
}

}  // namespace tandem::runtime
