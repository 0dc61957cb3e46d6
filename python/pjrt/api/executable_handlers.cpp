// Programs: compiled, queried, run.
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

#include "python/pjrt/api/handlers.hpp"
#include "python/pjrt/core/handles.hpp"
#include "python/pjrt/core/interrupts.hpp"
#include "python/pjrt/programs/client.hpp"
#include "python/pjrt/programs/compile_options.hpp"
#include "python/pjrt/programs/execute.hpp"
#include "python/pjrt/programs/host_key.hpp"

// The interface only names this type: bytes with an owner.
struct PJRT_SerializedExecutable {
  std::string bytes;
};

namespace tandem::pjrt {

class ExecuteContext {};

namespace {

std::string_view view(const char* data, std::size_t size) {
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

const CompiledProgram& program_of(PJRT_Executable* executable) {
  return object_of(executable).program();
}

PJRT_LoadedExecutable* load(PJRT_Client* client, Executable executable) {
  return handle_of(*new LoadedExecutable(object_of(client), std::move(executable)));
}

}  // namespace

void handle(PJRT_Client_Compile_Args& args) {
  if (args.program == nullptr) fail(PJRT_Error_Code_INVALID_ARGUMENT, "no program");
  const std::string_view format = view(args.program->format, args.program->format_size);
  if (format != "mlir") {
    fail(PJRT_Error_Code_UNIMPLEMENTED,
         "unimplemented: programs in format `" + std::string(format) + "`; `mlir` is wanted");
  }
  Client& client = object_of(args.client);
  std::string options(view(args.compile_options, args.compile_options_size));
  // Errors in them are reported before anything is done.
  const CompileOptions read = read_compile_options(options);
  const std::string_view artifact = view(args.program->code, args.program->code_size);
  std::string whole = without_host_key(artifact);
  const Interrupt interrupt;  // covers all work for it: none is lost between two children
  SharedPartitioned partitioned;
  if (read.partitions > 1) partitioned = client.partitioner().partition(whole, read, interrupt);
  SharedProgram program = client.compiler().compile(
      partitioned == nullptr ? whole : partitioned->artifact, partitioned != nullptr, interrupt);
  args.executable = load(args.client, {std::move(program), std::move(options), host_key(artifact),
                                       std::move(partitioned)});
}

void handle(PJRT_Client_Load_Args& args) {
  const Executable& executable = object_of(args.executable);
  std::string options(view(args.compile_options, args.compile_options_size));
  if (options.empty()) options = executable.compile_options();
  args.loaded_executable = load(args.client, {executable.shared_program(), std::move(options),
                                              executable.host_key(), executable.partitioned()});
}

void handle(PJRT_Executable_Destroy_Args& args) { delete pointer_of(args.executable); }

void handle(PJRT_Executable_Name_Args& args) {
  static constexpr std::string_view name = "main";
  (void)object_of(args.executable);
  args.executable_name = name.data();
  args.executable_name_size = name.size();
}

void handle(PJRT_Executable_NumReplicas_Args& args) { args.num_replicas = 1; }

void handle(PJRT_Executable_NumPartitions_Args& args) {
  args.num_partitions = object_of(args.executable).read_options().partitions;
}

void handle(PJRT_Executable_NumOutputs_Args& args) {
  args.num_outputs = program_of(args.executable).results.size();
}

void handle(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args) {
  args.size_in_bytes = static_cast<std::int64_t>(program_of(args.executable).code_bytes);
}

void handle(PJRT_Executable_Fingerprint_Args& args) {
  const std::string& fingerprint = object_of(args.executable).fingerprint();
  args.executable_fingerprint = fingerprint.data();
  args.executable_fingerprint_size = fingerprint.size();
}

void handle(PJRT_Executable_GetCompiledMemoryStats_Args& args) {
  const CompiledProgram& program = program_of(args.executable);
  clear_behind(args, args.executable);
  args.generated_code_size_in_bytes = static_cast<std::int64_t>(program.code_bytes);
  args.argument_size_in_bytes = argument_bytes(program);
  args.output_size_in_bytes = result_bytes(program);
  args.temp_size_in_bytes = static_cast<std::int64_t>(program.temporary_bytes);
  for (const Argument& argument : program.arguments) {
    if (argument.donated)
      args.alias_size_in_bytes += static_cast<std::int64_t>(dense_bytes(argument.shape));
  }
  args.total_size_in_bytes = args.generated_code_size_in_bytes + args.argument_size_in_bytes +
                             args.output_size_in_bytes + args.temp_size_in_bytes -
                             args.alias_size_in_bytes;
  args.peak_memory_in_bytes = args.total_size_in_bytes;
}

void handle(PJRT_Executable_GetCostAnalysis_Args& args) {
  const NamedValues& costs = object_of(args.executable).costs();
  args.properties = costs.data();
  args.num_properties = costs.size();
}

void handle(PJRT_Executable_OutputElementTypes_Args& args) {
  const std::vector<PJRT_Buffer_Type>& types = object_of(args.executable).result_types();
  args.output_types = const_cast<PJRT_Buffer_Type*>(types.data());
  args.num_output_types = types.size();
}

void handle(PJRT_Executable_OutputDimensions_Args& args) {
  const Executable& executable = object_of(args.executable);
  args.num_outputs = executable.result_ranks().size();
  args.dims = executable.result_dimensions().data();
  args.dim_sizes = executable.result_ranks().data();
}

void handle(PJRT_Executable_OutputMemoryKinds_Args& args) {
  const Executable& executable = object_of(args.executable);
  args.num_outputs = executable.program().results.size();
  args.memory_kinds = executable.memory_kinds().data();
  args.memory_kind_sizes = executable.memory_kind_sizes().data();
}

void handle(PJRT_Executable_ParameterMemoryKinds_Args& args) {
  const Executable& executable = object_of(args.executable);
  args.num_parameters = executable.arguments();
  args.memory_kinds = executable.memory_kinds().data();
  args.memory_kind_sizes = executable.memory_kind_sizes().data();
}

// The program as given, or the part of one device: the caller asks first for its size, then for its
// bytes.
void handle(PJRT_Executable_OptimizedProgram_Args& args) {
  static constexpr std::string_view format = "mlir";
  const SharedPartitioned& partitioned = object_of(args.executable).partitioned();
  const std::string& artifact =
      partitioned == nullptr ? program_of(args.executable).artifact : partitioned->shown;
  if (args.program == nullptr) fail(PJRT_Error_Code_INVALID_ARGUMENT, "no program");
  args.program->format = format.data();
  args.program->format_size = format.size();
  if (args.program->code == nullptr) {
    args.program->code_size = artifact.size();
    return;
  }
  if (args.program->code_size < artifact.size()) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "too little room for the program");
  }
  std::memcpy(args.program->code, artifact.data(), artifact.size());
}

void handle(PJRT_Executable_Serialize_Args& args) {
  if (args.executable == nullptr) fail(PJRT_Error_Code_INVALID_ARGUMENT, "no executable");
  auto* const bytes = new PJRT_SerializedExecutable{pointer_of(args.executable)->serialize()};
  args.serialized_bytes = bytes->bytes.data();
  args.serialized_bytes_size = bytes->bytes.size();
  args.serialized_executable = bytes;
  args.serialized_executable_deleter = [](PJRT_SerializedExecutable* held) { delete held; };
}

void handle(PJRT_Executable_GetCompileOptions_Args& args) {
  const std::string& options = object_of(args.executable).compile_options();
  args.serialized_bytes = options.data();
  args.serialized_bytes_size = options.size();
  args.serialized_compile_options = nullptr;
  args.serialized_compile_options_deleter = [](PJRT_SerializedCompileOptions*) {};
}

void handle(PJRT_Executable_DeserializeAndLoad_Args& args) {
  Executable executable =
      Executable::deserialize(view(args.serialized_executable, args.serialized_executable_size));
  const std::string_view options = view(args.overridden_serialized_compile_options,
                                        args.overridden_serialized_compile_options_size);
  if (!options.empty()) {
    executable = {executable.shared_program(), std::string(options), executable.host_key(),
                  executable.partitioned()};
  }
  args.loaded_executable = load(args.client, std::move(executable));
}

void handle(PJRT_LoadedExecutable_Destroy_Args& args) { delete pointer_of(args.executable); }

// The caller's own, destroyed apart from the loaded one.
void handle(PJRT_LoadedExecutable_GetExecutable_Args& args) {
  args.executable = handle_of(*new Executable(object_of(args.loaded_executable).executable()));
}

void handle(PJRT_LoadedExecutable_AddressableDevices_Args& args) {
  const LoadedExecutable& executable = object_of(args.executable);
  args.addressable_devices = executable.device_handles();
  args.num_addressable_devices = executable.devices().size();
}

void handle(PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args) {
  LoadedExecutable& executable = object_of(args.executable);
  args.addressable_device_logical_ids = executable.logical_ids();
  args.num_addressable_device_logical_ids = executable.devices().size();
}

void handle(PJRT_LoadedExecutable_GetDeviceAssignment_Args& args) {
  const std::string& assignment = object_of(args.executable).device_assignment();
  args.serialized_bytes = assignment.data();
  args.serialized_bytes_size = assignment.size();
  args.serialized_device_assignment = nullptr;
  args.serialized_device_assignment_deleter = [](PJRT_DeviceAssignmentSerialized*) {};
}

void handle(PJRT_LoadedExecutable_Delete_Args& args) { object_of(args.executable).erase(); }

void handle(PJRT_LoadedExecutable_IsDeleted_Args& args) {
  args.is_deleted = object_of(args.executable).is_erased();
}

void handle(PJRT_LoadedExecutable_Fingerprint_Args& args) {
  const std::string& fingerprint = object_of(args.executable).executable().fingerprint();
  args.executable_fingerprint = fingerprint.data();
  args.executable_fingerprint_size = fingerprint.size();
}

void handle(PJRT_LoadedExecutable_Execute_Args& args) {
  LoadedExecutable& executable = object_of(args.executable);
  if (args.num_devices != executable.devices().size()) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT,
         fmt::format("arguments for {} devices, the program runs on {}", args.num_devices,
                     executable.devices().size()));
  }
  if (args.execute_device != nullptr &&
      (args.num_devices != 1 || pointer_of(args.execute_device) != executable.devices().front())) {
    fail(PJRT_Error_Code_UNIMPLEMENTED,
         "unimplemented: a run on another device than the program was compiled for");
  }
  std::vector<std::vector<Buffer*>> arguments(args.num_devices);
  for (std::size_t d = 0; d < args.num_devices; ++d) {
    for (std::size_t i = 0; i < args.num_args; ++i) {
      arguments[d].push_back(pointer_of(args.argument_lists[d][i]));
    }
  }
  std::span<const std::int64_t> keep;
  if (args.options != nullptr) {
    keep = {args.options->non_donatable_input_indices,
            args.options->num_non_donatable_input_indices};
  }
  std::vector<Execution> executions = execute(executable, arguments, keep);
  for (std::size_t d = 0; d < executions.size(); ++d) {
    Execution& execution = executions[d];
    for (std::size_t i = 0; i < execution.results.size(); ++i) {
      args.output_lists[d][i] = handle_of(*execution.results[i].release());
    }
    if (args.device_complete_events != nullptr) {
      args.device_complete_events[d] = handle_of(*new Event(std::move(execution.done)));
    }
  }
}

void handle(PJRT_ExecuteContext_Create_Args& args) {
  args.context = handle_of(*new ExecuteContext);
}

void handle(PJRT_ExecuteContext_Destroy_Args& args) { delete pointer_of(args.context); }

}  // namespace tandem::pjrt
