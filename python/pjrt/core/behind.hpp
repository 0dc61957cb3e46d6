// A result that waits for more than the device: the inputs of a run may be valid only once the host
// has processed the calls of the run before.
#pragma once

#include <vector>

#include "python/pjrt/core/completion.hpp"

namespace tandem::pjrt {

// The completion that the worker finishes in the place of `done`: `done` then follows once all of
// `needs` have finished, with the first status that is not ok. The completion itself if nothing is
// left to wait for.
SharedCompletion behind(std::vector<SharedCompletion> needs, SharedCompletion done);

}  // namespace tandem::pjrt
