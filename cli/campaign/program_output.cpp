#include "cli/campaign/program_output.hpp"

#include <chrono>

#include "host/child.hpp"
#include "host/interruption.hpp"

namespace tandem {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int cannot_execute = 127;  // as in a shell
constexpr std::chrono::seconds time_to_tidy_up{5};

// Slurm's commands wait for minutes if no controller answers: Ctrl-C ends them. Commands started
// after it (scancel) get a moment.
class Patience {
 public:
  [[nodiscard]] bool is_over() const {
    if (interruption() == 0) return false;
    return before_ == 0 || Clock::now() - begin_ > time_to_tidy_up;
  }

 private:
  int before_ = interruption();
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

ProgramOutput run_program(const std::vector<std::string>& command) {
  ProgramOutput result;
  ChildCommand started{command};
  started.is_merged = true;
  if (started.words.empty()) return result;
  started.words[0] = find_program(started.words[0]);
  if (started.words[0].empty()) {
    result.status = cannot_execute;
    return result;
  }
  const Patience patience;
  const Ended ended = run_child(started, [&] { return patience.is_over(); });
  result.text = ended.output;
  if (!ended.trouble.empty()) result.status = cannot_execute;
  if (ended.trouble.empty() && ended.is_known && ended.signal == 0) result.status = ended.status;
  return result;
}

}  // namespace tandem
