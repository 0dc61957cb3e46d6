// Proves that bundles do the same as their operations executed one after the other.
//
// Shares nothing with the scheduler but the effects of one operation (isa/analysis). Both codes are
// followed from cut to cut (places where the block may be entered, see Cut) along every path
// between them; a loop that has become a pipeline is followed for every number of iterations up to
// twice what its code holds. On each path every operation is matched with its issues, and it is
// checked that
//   - each is issued exactly as often as it is executed, and branches decide the same;
//   - each reads what it read in sequence: the result of the same issue of the same operation, or
//     what a register held at the cut. The latter becomes a demand on every path to that cut;
//   - effects that may overlap keep their order: memories, accumulators, both weight buffers,
//     copies, flags, waits, and operations that keep their place in time.
// The cuts that a result names are hints: a wrong one makes the proof fail, never succeed.
#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace tandem::schedule {

// Empty, or what is wrong and where. Precondition: result.ok(), not of Level::none. `lanes` of the
// machine determine the rows of VMEM words; without them (0) a word may be in any row.
std::string validate(const LinearBlock& block, const Result& result, std::uint32_t lanes = 0);

}  // namespace tandem::schedule
