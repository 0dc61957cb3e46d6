// Short forward branches become predicates where that is faster:
//
//   @%p br past            @!%p %x = add %x, 1        @%p br other          @!%p %x = add %x, 1
//   %x = add %x, 1   ->    past:                      %x = add %x, 1   ->   @%p  %x = mov 0
//   past:                                             br past               past:
//                                                     other: %x = mov 0
//                                                     past:
//
// A loop that is left at its top or in its middle is left at its end instead; the operations
// between are done under the predicate:
//
//   again: %more = lt %i, %n               again: %more = lt %i, %n
//   @!%more br out                         @%more %x = add %x, %i
//   %x = add %x, %i                  ->    @%more br again
//   br again                               out:
//   out:
//
// Several stretches become one: it is scheduled as a whole, and a loop around it can be a pipeline.
// This also helps where nothing is pipelined, as long as the wasted operations cost less than the
// branch and the end of a stretch.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/parameters.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

struct IfConverted {
  LinearBlock block;
  std::vector<std::uint32_t> branches;  // removed branches, as numbers of operations; ascending
};

IfConverted if_converted(const LinearBlock& block, const Parameters& preset);

}  // namespace tandem::schedule
