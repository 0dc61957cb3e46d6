// Faults that tests inject into the scheduler to see whether the validator notices. Everything else
// leaves them out.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace tandem::schedule {

struct Bundled;
struct DependenceGraph;
struct Expansion;
struct IfConverted;
struct LinearBlock;
struct LiveSegment;
struct LoopGraph;
struct ModuloSchedule;
struct Region;

struct Faults {
  std::function<void(IfConverted&)> converted;
  std::function<void(const LinearBlock&, const Region&, DependenceGraph&)> dependences;
  std::function<void(const LinearBlock&, LoopGraph&)> loop;
  std::function<void(ModuloSchedule&)> modulo;
  std::function<void(Expansion&)> expansion;
  std::function<void(const Bundled&, std::vector<LiveSegment>&)> lives;
  std::function<void(Bundled&)> allocated;  // all registers have numbers
};

// The faults that a test has requested, if any.
template <typename Hook, typename... Arguments>
void err(const Faults* faults, Hook Faults::*hook, Arguments&&... arguments) {
  if (faults != nullptr && faults->*hook) (faults->*hook)(std::forward<Arguments>(arguments)...);
}

}  // namespace tandem::schedule
