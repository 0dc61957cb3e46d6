#include "python/pjrt/programs/executable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "python/pjrt/core/digest.hpp"
#include "python/pjrt/core/handles.hpp"
#include "python/pjrt/programs/client.hpp"
#include "python/pjrt/programs/compile_options.hpp"

namespace tandem::pjrt {
namespace {

// Followed by the digest of all that follows.
constexpr std::string_view magic = "TNDMEX03";

void append(std::string& bytes, std::string_view piece) {
  const std::uint64_t size = piece.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes += piece;
}

std::string_view take(std::string_view& bytes) {
  std::uint64_t size = 0;
  if (bytes.size() >= sizeof(size)) {
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes.remove_prefix(sizeof(size));
    if (size <= bytes.size()) {
      const std::string_view piece = bytes.substr(0, size);
      bytes.remove_prefix(size);
      return piece;
    }
  }
  fail(PJRT_Error_Code_INVALID_ARGUMENT, "a serialized executable that is cut off");
}

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Device& device_for(const Client& client, const CompileOptions& options) {
  if (options.replicas * options.partitions > 1) {
    fail(PJRT_Error_Code_UNIMPLEMENTED,
         fmt::format("unimplemented: a program over several devices ({} replicas, {} partitions); "
                     "run one program on each device",
                     options.replicas, options.partitions));
  }
  return client.device(options.devices.empty() ? 0 : options.devices.front());
}

}  // namespace

Executable::Executable(SharedProgram program, std::string compile_options, std::string host_key)
    : program_(std::move(program)),
      compile_options_(std::move(compile_options)),
      host_key_(std::move(host_key)) {
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

std::string Executable::serialize() const {
  std::string content;
  append(content, compile_options_);
  append(content, host_key_);
  append(content, program_->artifact);
  append(content, text_of(program_->elf));
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
  const std::string_view options = take(bytes);
  const std::string_view key = take(bytes);
  const std::string_view artifact = take(bytes);
  const std::string_view elf = take(bytes);
  return {read_compiled_program(std::string(artifact), {elf.begin(), elf.end()}),
          std::string(options), std::string(key)};
}

const runtime::Program& LoadedProgram::on(runtime::Device& device) {
  if (loaded_ == nullptr) loaded_ = device.load(program_->elf);
  return *loaded_;
}

LoadedExecutable::LoadedExecutable(Client& client, Executable executable)
    : client_(client),
      executable_(std::move(executable)),
      device_(device_for(client, read_compile_options(executable_.compile_options()))),
      device_handle_(handle_of(device_)),
      device_assignment_(device_assignment_of(device_.id())),
      loaded_(std::make_shared<LoadedProgram>(executable_.shared_program())) {}

const std::shared_ptr<LoadedProgram>& LoadedExecutable::loaded() const {
  if (erased_) fail(PJRT_Error_Code_FAILED_PRECONDITION, "the executable has been deleted");
  return loaded_;
}

}  // namespace tandem::pjrt
