// Shrinking: from programs that fail to the fewest and smallest that still fail with the same
// signature (cosim/reports/signature.hpp).
//
// Everything is removed by trial: whole programs, then bundles and operations that are blanked in
// place, so that no PC moves, then operands, then the empty bundles themselves, with branches
// adjusted, then data. A cut may change the program's meaning in any way: it counts if the failure
// stays.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cosim/shrink/cut.hpp"
#include "cosim/shrink/trial.hpp"

namespace tandem {

struct ShrinkOptions {
  TrialOptions trial;
  double seconds = 300;  // then the result so far counts
  // Called for every successful attempt; may be empty.
  std::function<void(std::size_t bundles, std::uint64_t attempts)> progress;
};

struct ShrinkResult {
  std::vector<TrialProgram> programs;  // smallest that fail; the last one fails
  std::string signature;               // "": they did not fail to begin with
  std::string explanation;             // of the smallest
  std::uint64_t attempts = 0;
  double seconds = 0;
  bool complete = false;  // nothing more could be removed; else time was up
  std::size_t bundles_before = 0;
  std::size_t bundles = 0;     // of all programs, empty ones too
  std::size_t operations = 0;  // of all programs
};

class Shrinker {
 public:
  Shrinker(Trial& trial, std::vector<TrialProgram> programs, const ShrinkOptions& options);

  ShrinkResult run();

 private:
  using Clock = std::chrono::steady_clock;

  bool fails(const std::vector<TrialProgram>& candidate);
  // Keeps the candidate if it fails.
  bool keep_if_failing(std::vector<TrialProgram> candidate);
  bool try_object(std::size_t program, Object object);
  [[nodiscard]] bool over() const;
  [[nodiscard]] const Object& object(std::size_t program) const {
    return programs_[program].object;
  }
  void tighten();
  void drop_programs();
  bool shrink_program(std::size_t program);
  void blank_bundles(std::size_t program);
  void blank_slots(std::size_t program);
  // Removes as many of these bundles or slots as possible.
  template <typename Places>
  void blank_some(std::size_t program, const Places& there);
  void simplify(std::size_t program);
  void compact(std::size_t program);
  void drop_empty(std::size_t program, bool constants, bool in_runs);
  void clear_data(std::size_t program);
  [[nodiscard]] std::size_t weight() const;

  Trial& trial_;
  std::vector<TrialProgram> programs_;
  ShrinkOptions options_;
  ShrinkResult result_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace tandem
