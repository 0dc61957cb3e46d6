// One run of a program on a device.
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

// Returns at once. Throws Failure when the arguments do not fit the program, are deleted, or one is
// donated and an argument a second time; nothing is donated then. What happens in the run is told
// by `done` and at the results. Donated arguments are deleted, apart from the positions in `keep`.
Execution execute(LoadedExecutable& executable, std::span<Buffer* const> buffers,
                  std::span<const std::int64_t> keep);

}  // namespace tandem::pjrt
