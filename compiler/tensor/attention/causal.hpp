// Chains whose rows need no keys behind their own number: causal attention.
#pragma once

#include "compiler/tensor/attention/chain.hpp"

namespace tandem::compiler::online {

// What a mask makes of the keys behind a row's own number.
struct Past {
  // The constant that the mask puts there: those keys are nothing to a row whose maximum of the
  // others is larger by `margin_of_low` (masked_tail.hpp). None: minus infinity, which is nothing
  // whatever the maximum.
  std::optional<double> low;
};

// Where for row i of the main ones all that sinks see of keys behind i changes nothing: a mask that
// compares the two indices makes them something whose exponential is zero.
std::optional<Past> keeps_to_the_past(const Chain& chain);

}  // namespace tandem::compiler::online
