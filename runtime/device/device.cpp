#include "runtime/device/device.hpp"

#include "runtime/device/messages.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "assembler/named_machine.hpp"
#include "host/user_error.hpp"
#include "isa/launch/tensor_layout.hpp"
#include "isa/machine.hpp"
#include "runtime/device/binding.hpp"
#include "runtime/device/launch_result.hpp"
#include "runtime/device/rtl_plugin.hpp"
#include "runtime/models/result_text.hpp"
#include "sim/memory/machine_timing.hpp"

namespace tandem::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// Programs have the lowest quarter of HBM, launches a page for their argument block after it,
// unless the options specify otherwise. A larger program moves that page up if tensors, which come
// from the other end, leave room.
constexpr std::uint64_t program_share = 4;
constexpr std::uint64_t argument_bytes = SparseMemory::page_bytes;
constexpr std::uint64_t smallest_hbm = 16 * SparseMemory::page_bytes;
// Steps between checks whether to continue: a few milliseconds.
constexpr std::uint64_t fast_slice = 200'000;
constexpr std::uint64_t slow_slice = 5'000;

FoundMachine machine_of(const DeviceOptions& options) {
  try {
    FoundMachine found = named_machine(options.preset);
    if (found.machine != nullptr) return found;
    throw Error{ErrorCode::not_found, std::move(found.complaint)};
  } catch (const UserError& error) {
    throw Error{ErrorCode::invalid_argument, error.message};
  }
}

// With the timing that the machine's name chooses.
DeviceOptions timed(DeviceOptions options, const FoundMachine& machine) {
  apply_timing(machine.timing, options.machine.memory);
  return options;
}

HbmRooms rooms_of(const DeviceOptions& options) {
  const std::uint64_t hbm_bytes = options.hbm_bytes;
  if (options.rooms) return *options.rooms;
  if (hbm_bytes < smallest_hbm || hbm_bytes % SparseMemory::page_bytes != 0) {
    throw Error{ErrorCode::invalid_argument,
                fmt::format(message::bad_hbm, hbm_bytes, SparseMemory::page_bytes, smallest_hbm)};
  }
  return {hbm_bytes / program_share / SparseMemory::page_bytes * SparseMemory::page_bytes,
          argument_bytes};
}

std::unique_ptr<DeviceModel> make_model(const Parameters& preset, const DeviceOptions& options) {
  if (options.check_lifetimes && options.model != Model::golden) {
    throw Error{ErrorCode::invalid_argument,
                fmt::format(message::lifetimes_on_golden, model_name(options.model))};
  }
  switch (options.model) {
    case Model::golden: return make_golden_device(preset, options);
    case Model::cycle: return make_cycle_device(preset, options);
    case Model::rtl:
    case Model::lockstep: return make_rtl_device(preset, options);
  }
  __builtin_unreachable();
}

void check_size(const TensorLayout& layout, std::size_t bytes) {
  if (bytes == layout.packed_bytes()) return;
  throw Error{ErrorCode::invalid_argument,
              fmt::format(message::bytes_differ, layout.packed_bytes(), bytes)};
}

TensorLayout layout_of(const DeviceTensor& tensor) {
  return *tensor_layout(tensor.type(), tensor.dimensions(), tensor.bytes());
}

RunResult run_to_end(Runner& runner, const LaunchOptions& options, std::uint64_t slice) {
  RunResult result{Outcome::running, options.limit, 0};
  const Clock::time_point start = Clock::now();
  const auto interrupted = [&options] {
    return options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed);
  };
  for (std::uint64_t done = 0; result.outcome == Outcome::running && !interrupted();) {
    std::uint64_t steps = slice;
    if (options.limit != 0) steps = std::min(steps, options.limit - done);
    if (steps == 0) break;
    result.outcome = runner.advance(steps);
    done += steps;
    if (result.outcome == Outcome::running && options.between && !options.between()) break;
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace

Device::Device(const DeviceOptions& options) : Device(options, machine_of(options)) {}

Device::Device(DeviceOptions options, const FoundMachine& machine)
    : preset_(machine.machine),
      options_(timed(std::move(options), machine)),
      rooms_(rooms_of(options_)),
      memory_(std::make_shared<HbmAllocator>(
          rooms_.programs + rooms_.arguments, options_.hbm_bytes,
          options_.rooms ? HbmAllocator::Order::ascending : HbmAllocator::Order::descending)),
      model_(make_model(*preset_, options_)) {}

Device::~Device() = default;

void Device::check_owner(const DeviceTensor& tensor) const {
  if (tensor.belongs_to(*memory_)) return;
  throw Error{ErrorCode::failed_precondition, message::foreign_tensor};
}

namespace {

std::optional<TensorLayout> layout_for(ElementType type,
                                       const std::vector<std::int64_t>& dimensions,
                                       std::uint64_t capacity) {
  if (dimensions.size() > max_rank) {
    throw Error{ErrorCode::invalid_argument,
                fmt::format(message::too_many_dimensions, dimensions.size(), max_rank)};
  }
  return tensor_layout(type, dimensions, capacity);
}

[[noreturn]] void refuse_size(const std::optional<TensorLayout>& layout,
                              const std::vector<std::int64_t>& dimensions, const MemoryUse& use) {
  throw Error{ErrorCode::out_of_memory,
              fmt::format(message::hbm_full,
                          layout ? fmt::format("{} bytes", layout->bytes())
                                 : fmt::format("{} elements", fmt::join(dimensions, " x ")),
                          use.used, use.capacity, use.largest_free)};
}

}  // namespace

TensorLayout Device::checked_layout(ElementType type,
                                    const std::vector<std::int64_t>& dimensions) const {
  const MemoryUse use = memory_->use();
  const auto layout = layout_for(type, dimensions, use.capacity);
  if (!layout) refuse_size(layout, dimensions, use);
  return *layout;
}

TensorHandle Device::allocate(ElementType type, std::vector<std::int64_t> dimensions) {
  const MemoryUse use = memory_->use();
  const auto layout = layout_for(type, dimensions, use.capacity);
  const auto address = layout ? memory_->find(layout->bytes(), std::nullopt) : std::nullopt;
  if (!address) refuse_size(layout, dimensions, use);
  return allocate_at(type, std::move(dimensions), *address);
}

TensorHandle Device::allocate_at(ElementType type, std::vector<std::int64_t> dimensions,
                                 std::uint64_t address) {
  const TensorLayout layout = *tensor_layout(type, dimensions, memory_->use().capacity);
  memory_->take(address, layout.bytes());
  Tensor declared;
  declared.type = type;
  declared.dimensions = std::move(dimensions);
  auto tensor = std::make_shared<const DeviceTensor>(
      memory_, PlacedTensor{std::move(declared), address, layout.pitch, layout.bytes()});
  if (layout.pitch != layout.row_bytes) clear(*model_, tensor->placed());
  return tensor;
}

void Device::write(const DeviceTensor& tensor, std::span<const std::uint8_t> packed) {
  check_owner(tensor);
  const TensorLayout layout = layout_of(tensor);
  check_size(layout, packed.size());
  const std::uint64_t address = tensor.placed().address;
  if (planes_of(tensor.type()) != 1) {
    std::vector<std::uint8_t> planes(packed.size());
    to_planes(packed, planes);
    return model_->write(address, planes);
  }
  if (layout.pitch == layout.row_bytes) return model_->write(address, packed);
  for (std::uint64_t row = 0; row < layout.rows; ++row) {
    model_->write(address + row * layout.pitch,
                  packed.subspan(row * layout.row_bytes, layout.row_bytes));
  }
}

void Device::read(const DeviceTensor& tensor, std::span<std::uint8_t> packed) const {
  check_owner(tensor);
  const TensorLayout layout = layout_of(tensor);
  check_size(layout, packed.size());
  const std::uint64_t address = tensor.placed().address;
  if (planes_of(tensor.type()) != 1) {
    std::vector<std::uint8_t> planes(packed.size());
    model_->read(address, planes);
    return from_planes(planes, packed);
  }
  if (layout.pitch == layout.row_bytes) return model_->read(address, packed);
  for (std::uint64_t row = 0; row < layout.rows; ++row) {
    model_->read(address + row * layout.pitch,
                 packed.subspan(row * layout.row_bytes, layout.row_bytes));
  }
}

void Device::check_part(const DeviceTensor& tensor, std::uint64_t first,
                        std::uint64_t bytes) const {
  check_owner(tensor);
  if (first <= tensor.bytes() && bytes <= tensor.bytes() - first) return;
  throw Error{ErrorCode::invalid_argument,
              fmt::format(message::bytes_differ, tensor.bytes(), first + bytes)};
}

void Device::write_part(const DeviceTensor& tensor, std::uint64_t first,
                        std::span<const std::uint8_t> bytes) {
  check_part(tensor, first, bytes.size());
  model_->write(tensor.placed().address + first, bytes);
}

void Device::read_part(const DeviceTensor& tensor, std::uint64_t first,
                       std::span<std::uint8_t> bytes) const {
  check_part(tensor, first, bytes.size());
  model_->read(tensor.placed().address + first, bytes);
}

TensorHandle Device::clone(const DeviceTensor& tensor) {
  check_owner(tensor);
  TensorHandle copy = allocate(tensor.type(), tensor.dimensions());
  std::vector<std::uint8_t> bytes(tensor.bytes());
  model_->read(tensor.placed().address, bytes);
  model_->write(copy->placed().address, bytes);
  return copy;
}

namespace {

std::vector<DescriptorWords> start_copies_of(const Image& image,
                                             std::span<const PlacedTensor> tensors) {
  try {
    return placed_start_copies(image, tensors);
  } catch (const LaunchError& error) {
    throw Error{ErrorCode::invalid_argument, error.message};
  }
}

}  // namespace

ProgramHandle Device::load(std::span<const std::uint8_t> elf) { return load(read_program(elf)); }

void Device::make_room(const Image& image) {
  const std::uint64_t end = image_end(image);
  if (options_.rooms || end <= rooms_.programs) return;
  const std::uint64_t pages = (end + SparseMemory::page_bytes - 1) / SparseMemory::page_bytes;
  const std::uint64_t programs = pages * SparseMemory::page_bytes;
  if (!memory_->give_up_below(programs + rooms_.arguments)) {
    throw Error{ErrorCode::out_of_memory,
                fmt::format(message::program_too_large, end, options_.hbm_bytes,
                            rooms_.programs + rooms_.arguments + memory_->use().used)};
  }
  rooms_.programs = programs;
}

ProgramHandle Device::load(Image image) {
  make_room(image);
  return std::make_shared<const Program>(std::move(image), *preset_, rooms_.programs);
}

Launch Device::make_launch(const Program& program, std::span<const TensorHandle> tensors) const {
  for (const TensorHandle& tensor : tensors) check_owner(*tensor);
  if (options_.check_lifetimes && program.image().buffers.empty()) {
    throw Error{ErrorCode::failed_precondition, message::no_lifetimes};
  }
  Launch launch;
  launch.image = &program.image();
  launch.program = program.number();
  launch.tensors = bind(program.tensors(), tensors);
  launch.pages = program.pages();
  launch.segments = program.segments();
  launch.argument_pointer = rooms_.programs;
  std::vector<std::uint8_t> arguments = argument_block(program.image(), launch.tensors);
  if (arguments.size() > rooms_.arguments) {
    throw Error{ErrorCode::invalid_argument,
                fmt::format(message::too_many_tensors, tensors.size(), rooms_.arguments)};
  }
  if (!arguments.empty()) launch.segments.push_back({rooms_.programs, std::move(arguments)});
  launch.argument_words = smem_argument_words(program.image(), launch.tensors.size());
  launch.start_copies = start_copies_of(program.image(), launch.tensors);
  launch.hbm_bytes = options_.hbm_bytes;
  launch.seed = options_.seed;
  return launch;
}

LaunchResult Device::launch(const Program& program, std::span<const TensorHandle> tensors,
                            const LaunchOptions& options) {
  const Launch launch = make_launch(program, tensors);
  const std::unique_ptr<Runner> runner = model_->start(launch, {options.timing, {}});
  const RunResult result =
      run_to_end(*runner, options, is_fast(options_.model) ? fast_slice : slow_slice);
  return result_of(*runner, result, program.image());
}

std::unique_ptr<Run> Device::start(ProgramHandle program, std::span<const TensorHandle> tensors,
                                   const RunReaders& readers, const GroupPlace& place) {
  Launch launch = make_launch(*program, tensors);
  launch.chip = place.chip;
  launch.chips = place.chips;
  auto run = std::make_unique<Run>(std::move(launch), std::move(program),
                                   std::vector(tensors.begin(), tensors.end()));
  run->runner_ = model_->start(run->launch_, readers);
  return run;
}

}  // namespace tandem::runtime
