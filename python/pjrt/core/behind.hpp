// A result that waits for more than the device: what a run was made of may be in order only when
// the host has heard what the run before had to say.
#pragma once

#include <vector>

#include "python/pjrt/core/completion.hpp"

namespace tandem::pjrt {

// What the worker is to finish in the place of `done`: `done` then follows once all of `needs` have
// finished, with the first status that is not ok. The completion itself where nothing is left to
// wait for.
SharedCompletion behind(std::vector<SharedCompletion> needs, SharedCompletion done);

}  // namespace tandem::pjrt
