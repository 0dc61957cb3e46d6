// The useful work of a program (stats/useful_work.hpp) beside what its regions took.
#pragma once

#include "llvm/Support/JSON.h"

namespace tandem::compiler {

// Gives each region ("sources", "measured"), in place of its sources, "roof": the cycles that the
// busiest unit needs at least for the useful work of the operations in it, and "useful": that unit;
// "roof" 0 where there is no useful work. An operation that several regions are parts of is theirs
// by the cycles that they took.
void add_useful_work(llvm::json::Array& regions, const llvm::json::Object& work);

}  // namespace tandem::compiler
