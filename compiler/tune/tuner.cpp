#include "compiler/tune/tuner.hpp"

#include <fmt/format.h>

#include "compiler/contract/decisions_json.hpp"
#include "compiler/driver/isolate.hpp"

namespace tandem::compiler {
namespace {

// One decision after the other, in the order in which the passes take them: a later one may depend
// on earlier ones, never the reverse.
class Search {
 public:
  Search(const Job& job, const TuneOptions& options)
      : job_(job), most_runs_(options.runs), measurer_(options.inputs, job.timed_machine) {}

  // The best choices, or nothing with an error.
  std::optional<TuningEntry> run(std::string& error) {
    const auto by_default = cycles_of({}, error);
    if (!by_default) return std::nullopt;
    TuningEntry best{*by_default, *by_default, {}};
    auto decisions = decisions_with({});
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      if (improve(decisions[i], best)) decisions = decisions_with(best.choices);
    }
    return best;
  }

  [[nodiscard]] unsigned runs() const { return runs_; }

 private:
  // Tries the other candidates; returns whether one of them is better.
  bool improve(const Decision& decision, TuningEntry& best) {
    const Choices before = best.choices;
    bool is_better = false;
    for (const std::int64_t candidate : decision.candidates) {
      if (candidate == decision.chosen || runs_ >= most_runs_) continue;
      Choices choices = before;
      choices[decision.name] = candidate;
      std::string ignored;  // a candidate that fails is skipped
      const auto cycles = cycles_of(choices, ignored);
      if (!cycles || *cycles >= best.tuned) continue;
      best.tuned = *cycles;
      best.choices = choices;
      is_better = true;
    }
    return is_better;
  }

  std::vector<Decision> decisions_with(const Choices& choices) const {
    Job job = job_;
    job.choices = choices;
    job.emit = Level::tpu;
    job.print = Print::decisions;
    const Outcome outcome = compile(job);
    return outcome.ok ? read_decisions(outcome.output).value_or(std::vector<Decision>())
                      : std::vector<Decision>();
  }

  std::optional<std::uint64_t> cycles_of(const Choices& choices, std::string& error) {
    Job job = job_;
    job.choices = choices;
    const Outcome outcome = compile(job);
    if (!outcome.ok) {
      error = outcome.messages;
      return std::nullopt;
    }
    // Different choices often lead to the same program.
    const std::string digest = digest_of(outcome.output);
    if (const auto found = known_.find(digest); found != known_.end()) return found->second;
    ++runs_;
    const Measured measured = measurer_.run(outcome.output, false);
    if (!measured.error.empty()) {
      error = job_.name + ": error: " + measured.error + "\n";
      return std::nullopt;
    }
    return known_[digest] = measured.cycles;
  }

  const Job& job_;
  unsigned most_runs_;
  Measurer measurer_;
  unsigned runs_ = 0;
  std::map<std::string, std::uint64_t> known_;  // cycles by digest of the program
};

std::optional<TuningKey> key_of(const Job& job, std::string& messages) {
  Job asks = job;
  asks.print = Print::identity;
  const Outcome identity = compile(asks);
  if (!identity.ok) {
    messages += identity.messages;
    return std::nullopt;
  }
  TuningKey key{digest_of(identity.output), job.machine_name(), compiler_digest()};
  if (!key.compiler.empty()) return key;
  messages += job.name + ": error: the compiler cannot read its own executable\n";
  return std::nullopt;
}

std::string found_text(const Job& job, const TuningEntry& entry, unsigned runs) {
  std::string text =
      fmt::format("{}: tuned in {} runs: {} cycles by default, {} with {} choices\n", job.name,
                  runs, entry.by_default, entry.tuned, entry.choices.size());
  for (const auto& [name, value] : entry.choices) text += fmt::format("  {} {}\n", name, value);
  return text;
}

}  // namespace

bool tune(Job& job, const TuneOptions& options, std::string& messages) {
  std::string error;
  const auto entries = read_cache(options.cache, error);
  if (!entries) {
    messages += error + "\n";
    return false;
  }
  const auto key = key_of(job, messages);
  if (!key) return false;
  if (const auto found = entries->find(*key); found != entries->end()) {
    job.choices = found->second.choices;
    return true;
  }
  if (!options.searches) return true;
  Job program = job;
  program.emit = Level::elf;
  program.print = Print::level;
  Search search(program, options);
  const auto best = search.run(error);
  if (!best) {
    messages += error;
    return false;
  }
  if (!keep_in_cache(options.cache, *key, *best, error)) {
    messages += error + "\n";
    return false;
  }
  messages += found_text(job, *best, search.runs());
  job.choices = best->choices;
  return true;
}

}  // namespace tandem::compiler
