// PJRT_Executable, a compiled program, and PJRT_LoadedExecutable, one ready to run on its devices.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "python/pjrt/arrays/buffer.hpp"
#include "python/pjrt/core/named_values.hpp"
#include "python/pjrt/programs/compile_options.hpp"
#include "python/pjrt/programs/compiled_program.hpp"
#include "python/pjrt/programs/partitioned.hpp"

namespace tandem::pjrt {

class Client;

class Executable {
 public:
  // `host_key`: which functions of the host it calls (host_key.hpp). `partitioned`: what the
  // program is one device's part of; null if it is the whole. Throws Failure where that and the
  // options differ.
  Executable(SharedProgram program, std::string compile_options, std::string host_key,
             SharedPartitioned partitioned);

  [[nodiscard]] const CompiledProgram& program() const { return *program_; }
  [[nodiscard]] const SharedProgram& shared_program() const { return program_; }
  [[nodiscard]] const SharedPartitioned& partitioned() const { return partitioned_; }
  [[nodiscard]] const std::string& compile_options() const { return compile_options_; }
  [[nodiscard]] const CompileOptions& read_options() const { return options_; }
  // Without the inputs that the caller does not give.
  [[nodiscard]] std::size_t arguments() const;
  [[nodiscard]] const std::string& host_key() const { return host_key_; }
  [[nodiscard]] const std::string& fingerprint() const { return program_->fingerprint; }

  // Lists as the interface wants them.
  [[nodiscard]] const std::vector<PJRT_Buffer_Type>& result_types() const { return result_types_; }
  [[nodiscard]] const std::vector<std::int64_t>& result_dimensions() const { return dimensions_; }
  [[nodiscard]] const std::vector<std::size_t>& result_ranks() const { return ranks_; }
  // As many as there are arguments or results, whichever is more.
  [[nodiscard]] const std::vector<const char*>& memory_kinds() const { return memory_kinds_; }
  [[nodiscard]] const std::vector<std::size_t>& memory_kind_sizes() const { return kind_sizes_; }

  // "flops", "transcendentals", "bytes accessed" (arguments and results, each once).
  [[nodiscard]] const NamedValues& costs() const { return *costs_; }

  // Program and options as bytes that this version of the plugin reads again. They carry a digest,
  // which detects accidental changes; anyone who may write them can make them run anything.
  [[nodiscard]] std::string serialize() const;
  // Throws Failure for anything else.
  static Executable deserialize(std::string_view bytes);

 private:
  SharedProgram program_;
  std::string compile_options_;
  CompileOptions options_;  // the same, read
  std::string host_key_;
  SharedPartitioned partitioned_;
  std::vector<PJRT_Buffer_Type> result_types_;
  std::vector<std::int64_t> dimensions_;
  std::vector<std::size_t> ranks_;
  std::vector<const char*> memory_kinds_;
  std::vector<std::size_t> kind_sizes_;
  std::shared_ptr<const NamedValues> costs_;  // for all copies
};

// The program in the memory of a device, loaded by the first task that runs it.
class LoadedProgram {
 public:
  // `partition`: the number passed to the program if it takes one.
  LoadedProgram(SharedProgram program, std::optional<std::uint32_t> partition)
      : program_(std::move(program)), partition_(partition) {}

  [[nodiscard]] const CompiledProgram& compiled() const { return *program_; }
  // In tasks of the worker only.
  const runtime::ProgramHandle& on(runtime::Device& device);
  // The argument after those of the caller; null where there is none. In tasks of the worker only.
  const runtime::TensorHandle& number_on(runtime::Device& device);

 private:
  const SharedProgram program_;
  const std::optional<std::uint32_t> partition_;
  runtime::ProgramHandle loaded_;
  runtime::TensorHandle number_;
};

class LoadedExecutable {
 public:
  // A partition on each of the devices that its options name, in that order.
  LoadedExecutable(Client& client, Executable executable);

  [[nodiscard]] Client& client() const { return client_; }
  [[nodiscard]] const Executable& executable() const { return executable_; }
  [[nodiscard]] std::span<Device* const> devices() const { return devices_; }
  [[nodiscard]] PJRT_Device* const* device_handles() const { return device_handles_.data(); }
  [[nodiscard]] PJRT_LogicalDeviceIds* logical_ids() { return logical_ids_.data(); }
  [[nodiscard]] const std::string& device_assignment() const { return device_assignment_; }
  // One for each device. Throws Failure once deleted.
  [[nodiscard]] const std::vector<std::shared_ptr<LoadedProgram>>& loaded() const;
  void erase() { erased_ = true; }
  [[nodiscard]] bool is_erased() const { return erased_; }

 private:
  Client& client_;
  const Executable executable_;
  std::vector<Device*> devices_;
  std::vector<PJRT_Device*> device_handles_;
  std::vector<PJRT_LogicalDeviceIds> logical_ids_;
  std::string device_assignment_;
  std::vector<std::shared_ptr<LoadedProgram>> loaded_;
  std::atomic<bool> erased_{false};
};

}  // namespace tandem::pjrt
