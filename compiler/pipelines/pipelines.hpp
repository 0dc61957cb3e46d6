// The passes that lead from one level to the next.
#pragma once

#include "compiler/contract/choices.hpp"
#include "compiler/contract/levels.hpp"
#include "isa/parameters.hpp"

namespace mlir {
class OpPassManager;
}

namespace tandem::compiler {

struct PassOptions {
  const Choices* choices = nullptr;  // decisions are noted here, and taken from here where present
  bool regions = false;              // numbered (contract/regions.hpp)
  bool links = false;                // between the machines that run it
  std::uint64_t room = compiled_reach;          // bytes of HBM for arguments and results
  std::uint64_t log_bytes = default_log_bytes;  // and for messages to the host
  bool start_copies = true;                     // the machine's host queues them (tpu/start_copies)
};

// Adds the passes that lead from one level to another, both at most `tpu`.
void add_passes(mlir::OpPassManager& manager, Level from, Level to, const Parameters& machine,
                const PassOptions& options = {});

}  // namespace tandem::compiler
