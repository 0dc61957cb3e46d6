#include "python/pjrt/programs/executable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "python/pjrt/core/digest.hpp"
#include "python/pjrt/core/handles.hpp"
#include "python/pjrt/core/pieces.hpp"
#include "python/pjrt/programs/client.hpp"

namespace tandem::pjrt {
namespace {

// Followed by the digest of all that follows.
constexpr std::string_view magic = "TNDMEX04";

constexpr std::string_view what = "a serialized executable";

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A different one for each partition.
std::vector<std::int64_t> devices_of(const Client& client, const CompileOptions& options) {
  if (options.replicas != 1) {
    fail(PJRT_Error_Code_UNIMPLEMENTED,
         fmt::format("unimplemented: {} replicas of a program; partitions are there",
                     options.replicas));
  }
  const std::size_t present = client.devices().size();
  if (options.partitions > present) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT,
         fmt::format("a program over {} devices where there are {} (plugin option `devices`)",
                     options.partitions, present));
  }
  std::vector<std::int64_t> devices = options.devices;
  if (devices.empty()) {
    devices.resize(options.partitions);
    std::iota(devices.begin(), devices.end(), 0);
  }
  std::vector<std::int64_t> sorted = devices;
  std::sort(sorted.begin(), sorted.end());
  const bool is_twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (devices.size() != options.partitions || is_twice) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT,
         fmt::format("{} partitions on devices {}: each wants one of its own", options.partitions,
                     fmt::join(devices, ", ")));
  }
  return devices;
}

void check_partitions(const CompiledProgram& program, const CompileOptions& options,
                      const Partitioned* partitioned) {
  if ((partitioned != nullptr) != (options.partitions > 1)) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT,
         fmt::format("a program for {} device with options for {}",
                     partitioned == nullptr ? "one" : "more than one", options.partitions));
  }
  if (partitioned == nullptr) return;
  const std::size_t told = partitioned->takes_number ? 1 : 0;
  if (program.arguments.size() != partitioned->arguments.size() + told ||
      program.results.size() != partitioned->results.size()) {
    fail(PJRT_Error_Code_INTERNAL,
         "internal: the program of one device has other arguments or results than all together");
  }
}

}  // namespace

Executable::Executable(SharedProgram program, std::string compile_options, std::string host_key,
                       SharedPartitioned partitioned)
    : program_(std::move(program)),
      compile_options_(std::move(compile_options)),
      options_(read_compile_options(compile_options_)),
      host_key_(std::move(host_key)),
      partitioned_(std::move(partitioned)) {
  check_partitions(*program_, options_, partitioned_.get());
  for (const auto& [shape, shares] : program_->results) {
    result_types_.push_back(buffer_type_of(shape.type));
    dimensions_.insert(dimensions_.end(), shape.dimensions.begin(), shape.dimensions.end());
    ranks_.push_back(shape.dimensions.size());
  }
  const std::size_t most = std::max(program_->arguments.size(), program_->results.size());
  memory_kinds_.assign(most, Memory::kind.data());
  kind_sizes_.assign(most, Memory::kind.size());
  auto costs = std::make_shared<NamedValues>();
  costs->add("flops", static_cast<float>(program_->flops));
  costs->add("transcendentals", static_cast<float>(program_->transcendentals));
  costs->add("bytes accessed",
             static_cast<float>(argument_bytes(*program_) + result_bytes(*program_)));
  costs_ = std::move(costs);
}

std::size_t Executable::arguments() const {
  return program_->arguments.size() -
         (partitioned_ != nullptr && partitioned_->takes_number ? 1 : 0);
}

std::string Executable::serialize() const {
  std::string content;
  append_piece(content, compile_options_);
  append_piece(content, host_key_);
  append_piece(content, partitioned_ == nullptr ? "" : partitioned_->bytes);
  append_piece(content, program_->artifact);
  append_piece(content, text_of(program_->elf));
  const Digest digest = sha256({content});
  std::string bytes(magic);
  bytes.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  return bytes + content;
}

Executable Executable::deserialize(std::string_view bytes) {
  if (!bytes.starts_with(magic)) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "no executable of this version of Tandem's plugin");
  }
  bytes.remove_prefix(magic.size());
  Digest digest{};
  if (bytes.size() >= digest.size()) {
    std::memcpy(digest.data(), bytes.data(), digest.size());
    bytes.remove_prefix(digest.size());
  }
  if (sha256({bytes}) != digest) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "a serialized executable that is cut off or altered");
  }
  const std::string_view options = take_piece(bytes, what);
  const std::string_view key = take_piece(bytes, what);
  const std::string_view partitioned = take_piece(bytes, what);
  const std::string_view artifact = take_piece(bytes, what);
  const std::string_view elf = take_piece(bytes, what);
  return {read_compiled_program(std::string(artifact), {elf.begin(), elf.end()}),
          std::string(options), std::string(key),
          partitioned.empty() ? nullptr : read_partitioned(std::string(partitioned))};
}

const runtime::ProgramHandle& LoadedProgram::on(runtime::Device& device) {
  if (loaded_ == nullptr) loaded_ = device.load(program_->elf);
  return loaded_;
}

const runtime::TensorHandle& LoadedProgram::number_on(runtime::Device& device) {
  if (number_ == nullptr && partition_) {
    runtime::TensorHandle number = device.allocate(ElementType::u32, {});
    device.write(*number,
                 {reinterpret_cast<const std::uint8_t*>(&*partition_), sizeof(*partition_)});
    number_ = std::move(number);
  }
  return number_;
}

LoadedExecutable::LoadedExecutable(Client& client, Executable executable)
    : client_(client), executable_(std::move(executable)) {
  const SharedPartitioned& partitioned = executable_.partitioned();
  const bool takes_number = partitioned != nullptr && partitioned->takes_number;
  const std::vector<std::int64_t> devices = devices_of(client, executable_.read_options());
  // Never the bytes of the options: jaxlib ends the process if it cannot read our answer.
  device_assignment_ = device_assignment_of(devices);
  for (const std::int64_t id : devices) {
    const auto partition = static_cast<int>(devices_.size());
    Device& device = *devices_.emplace_back(&client.device(id));
    device_handles_.push_back(handle_of(device));
    logical_ids_.push_back({0, partition});
    loaded_.push_back(std::make_shared<LoadedProgram>(
        executable_.shared_program(),
        takes_number ? std::optional<std::uint32_t>(partition) : std::nullopt));
  }
}

const std::vector<std::shared_ptr<LoadedProgram>>& LoadedExecutable::loaded() const {
  if (erased_) fail(PJRT_Error_Code_FAILED_PRECONDITION, "the executable has been deleted");
  return loaded_;
}

}  // namespace tandem::pjrt
