// Chains whose rows need no keys behind their own number: causal attention.
#pragma once

#include "compiler/tensor/attention/chain.hpp"

namespace tandem::compiler::online {

// Whether for row i of the main ones all that sinks see of keys behind i changes nothing: a mask
// that compares the two indices makes them minus infinity, which is zero behind an exponential.
bool keeps_to_the_past(const Chain& chain);

}  // namespace tandem::compiler::online
