// Chains whose rows need no keys after their own number: causal attention.
#pragma once

#include "compiler/tensor/attention/chain.hpp"

namespace tandem::compiler::online {

// The effect of a mask on the keys after a row's own number.
struct Past {
  // The constant that the mask puts there: those keys have no effect on a row whose maximum of the
  // others is larger by `margin_of_low` (masked_tail.hpp). None: minus infinity, which has no
  // effect whatever the maximum.
  std::optional<double> low;
};

// Where for row i of the main ones the keys after i change nothing in any sink: a mask that
// compares the two indices gives them a value whose exponential is zero.
std::optional<Past> keeps_to_the_past(const Chain& chain);

}  // namespace tandem::compiler::online
