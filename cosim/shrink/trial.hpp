// One attempt of the shrinker: programs run in lockstep one after the other, on freshly powered-up
// machines, and the signature of their failure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cosim/lockstep/runners.hpp"
#include "isa/object/object.hpp"

namespace tandem {

// A program, and how it is launched; the image outlives the launch.
struct TrialProgram {
  Object object;
  std::function<Launch(const Image&)> launch;
};

struct TrialOptions {
  std::uint64_t hbm_bytes = std::uint64_t{4} << 30U;
  std::uint32_t seed = 1;
  bool detect_races = true;
  bool detect_uninitialised = true;
  MemoryTimingParameters memory;
  std::uint32_t reset_seed = 1;  // of hidden state
  std::uint64_t silence = default_silence;
  std::uint64_t cycles = 200'000'000;  // of a program, before it counts as endless
};

struct TrialResult {
  std::string signature;  // "" when every program halted; of the first that did not
  std::size_t program = 0;
  std::uint64_t cycles = 0;  // of that one
  std::string explanation;
};

class Trial {
 public:
  explicit Trial(LockstepParts parts) : parts_(std::move(parts)) {}

  // A program that is followed by another may trap as well as halt.
  TrialResult run(const std::vector<TrialProgram>& programs, const TrialOptions& options);

 private:
  LockstepParts parts_;
};

}  // namespace tandem
