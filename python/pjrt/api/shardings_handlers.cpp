// The extension by which a framework queries how arguments and results are sharded over devices.
#include "python/pjrt/api/extensions.hpp"
#include "python/pjrt/core/handles.hpp"
#include "python/pjrt/programs/executable.hpp"

namespace tandem::pjrt {

// Programs on one device have no shardings.
void handle(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args) {
  const Executable& executable = object_of(args.executable);
  const SharedPartitioned& partitioned = executable.partitioned();
  args.num_parameters = executable.arguments();
  args.shardings = partitioned == nullptr ? nullptr : partitioned->arguments.data();
  args.sharding_sizes = partitioned == nullptr ? nullptr : partitioned->arguments.sizes();
}

void handle(PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args) {
  const Executable& executable = object_of(args.executable);
  const SharedPartitioned& partitioned = executable.partitioned();
  args.num_outputs = executable.program().results.size();
  args.shardings = partitioned == nullptr ? nullptr : partitioned->results.data();
  args.sharding_sizes = partitioned == nullptr ? nullptr : partitioned->results.sizes();
}

}  // namespace tandem::pjrt
