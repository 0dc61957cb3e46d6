// One run of a program, on one device or on several.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "python/pjrt/programs/executable.hpp"

namespace tandem::pjrt {

struct Execution {
  std::vector<std::unique_ptr<Buffer>> results;
  SharedCompletion done;
};

// `buffers`: the arguments of each device, partition by partition; an execution of each comes back.
// Returns immediately. Throws Failure when the arguments do not fit the program, are deleted, or
// one is donated and an argument a second time; nothing is donated then. The outcome of the run is
// reported by `done` and by the results. Donated arguments are deleted, apart from the positions in
// `keep`.
std::vector<Execution> execute(LoadedExecutable& executable,
                               const std::vector<std::vector<Buffer*>>& buffers,
                               std::span<const std::int64_t> keep);

}  // namespace tandem::pjrt
