#include "cosim/shrink/shrink.hpp"

#include <algorithm>
#include <utility>

namespace tandem {
namespace {

constexpr std::size_t data_block = 64;            // minimum number of bytes cleared at a time
constexpr std::uint64_t quick_silence = 60'000;   // for failures that are a silence
constexpr std::uint64_t cycles_beyond = 100'000;  // a cut may lengthen a run

constexpr std::size_t large_text = 4096;   // to be removed before anything else
constexpr std::size_t most_single = 1024;  // empty bundles that are tried one by one

struct EmptyRun {
  std::size_t begin = 0;
  std::size_t count = 0;
};
// Of neighbours, or each alone.
std::vector<EmptyRun> empty_runs(const Object& program, bool in_runs) {
  std::vector<EmptyRun> runs;
  for (std::size_t pc = 0; pc < program.text.size(); ++pc) {
    if (program.text[pc] != Bundle{}) continue;
    const bool joins = in_runs && !runs.empty() && runs.back().begin + runs.back().count == pc;
    if (joins) {
      ++runs.back().count;
    } else {
      runs.push_back({pc, 1});
    }
  }
  return runs;
}

bool is_silence(const std::string& signature) { return signature.starts_with("no_retirement"); }

}  // namespace

Shrinker::Shrinker(Trial& trial, std::vector<TrialProgram> programs, const ShrinkOptions& options)
    : trial_(trial), programs_(std::move(programs)), options_(options) {}

bool Shrinker::over() const {
  return std::chrono::duration<double>(Clock::now() - start_).count() > options_.seconds;
}

bool Shrinker::fails(const std::vector<TrialProgram>& candidate) {
  ++result_.attempts;
  TrialResult result = trial_.run(candidate, options_.trial);
  const bool same = result.signature == result_.signature && result.program + 1 == candidate.size();
  if (same) result_.explanation = std::move(result.explanation);
  return same;
}

bool Shrinker::keep_if_failing(std::vector<TrialProgram> candidate) {
  if (!fails(candidate)) return false;
  programs_ = std::move(candidate);
  if (options_.progress) options_.progress(weight(), result_.attempts);
  return true;
}

bool Shrinker::try_object(std::size_t program, Object object) {
  std::vector<TrialProgram> candidate = programs_;
  candidate[program].object = std::move(object);
  return keep_if_failing(std::move(candidate));
}

std::size_t Shrinker::weight() const {
  std::size_t bundles = 0;
  for (const TrialProgram& program : programs_) bundles += filled_bundles(program.object).size();
  return bundles;
}

// A cut may make a loop endless: no attempt runs much longer than the known failure.
void Shrinker::tighten() {
  if (is_silence(result_.signature)) {
    options_.trial.silence = std::min(options_.trial.silence, quick_silence);
  }
  const TrialResult now = trial_.run(programs_, options_.trial);
  const std::uint64_t most = 2 * now.cycles + cycles_beyond;
  if (result_.signature != "no end") options_.trial.cycles = std::min(options_.trial.cycles, most);
}

void Shrinker::drop_programs() {
  for (std::size_t number = 0; number + 1 < programs_.size() && !over();) {
    std::vector<TrialProgram> candidate = programs_;
    candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(number));
    if (!keep_if_failing(std::move(candidate))) ++number;
  }
}

void Shrinker::blank_bundles(std::size_t program) {
  blank_some(program, filled_bundles(object(program)));
}

void Shrinker::blank_slots(std::size_t program) {
  blank_some(program, filled_slots(object(program)));
}

template <typename Places>
void Shrinker::blank_some(std::size_t program, const Places& there) {
  const Object before = object(program);
  const auto attempt = [&](const std::vector<bool>& removed) {
    Object smaller = before;
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (removed[i]) blank(smaller, there[i]);
    }
    return try_object(program, std::move(smaller));
  };
  reduce(there.size(), attempt, [this] { return over(); });
}

void Shrinker::simplify(std::size_t program) {
  for (const Spot& spot : filled_slots(object(program))) {
    for (const Operation& operation : simpler(object(program), spot)) {
      if (over()) return;
      Object smaller = object(program);
      put(smaller, spot, operation);
      try_object(program, std::move(smaller));
    }
  }
}

// Empty bundles, run by run, then one by one if they are not too many: the failure may depend on
// time.
void Shrinker::compact(std::size_t program) {
  for (const bool constants : {true, false}) {
    drop_empty(program, constants, true);
    drop_empty(program, constants, false);
  }
}

void Shrinker::drop_empty(std::size_t program, bool constants, bool in_runs) {
  const Object before = object(program);
  const std::vector<EmptyRun> runs = empty_runs(before, in_runs);
  if (!in_runs && runs.size() > most_single) return;
  const auto attempt = [&](const std::vector<bool>& removed) {
    std::vector<bool> drop(before.text.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!removed[i]) continue;
      std::fill_n(drop.begin() + static_cast<std::ptrdiff_t>(runs[i].begin), runs[i].count, true);
    }
    if (std::count(drop.begin(), drop.end(), false) == 0) drop[0] = false;  // a text has a bundle
    return try_object(program, without_bundles(before, drop, constants));
  };
  reduce(runs.size(), attempt, [this] { return over(); });
}

void Shrinker::clear_data(std::size_t program) {
  const Object before = object(program);
  if (!before.data_relocations.empty()) return;
  const std::size_t blocks = (before.data.size() + data_block - 1) / data_block;
  const auto attempt = [&](const std::vector<bool>& removed) {
    Object smaller = before;
    for (std::size_t i = 0; i < blocks; ++i) {
      const auto begin = smaller.data.begin() + static_cast<std::ptrdiff_t>(i * data_block);
      const std::size_t bytes = std::min(data_block, before.data.size() - i * data_block);
      if (removed[i]) std::fill(begin, begin + static_cast<std::ptrdiff_t>(bytes), 0);
    }
    return try_object(program, std::move(smaller));
  };
  reduce(blocks, attempt, [this] { return over(); });
  Object bare = object(program);
  while (!bare.data.empty() && bare.data.back() == 0) bare.data.pop_back();
  // Names of removed parts would be in the way.
  std::erase_if(bare.symbols, [](const Symbol& symbol) {
    return symbol.place == Place::data || symbol.place == Place::bss;
  });
  if (bare.data.size() != before.data.size()) try_object(program, bare);
  bare = object(program);
  const bool named = std::any_of(bare.symbols.begin(), bare.symbols.end(),
                                 [](const Symbol& symbol) { return symbol.place == Place::bss; });
  if (bare.bss_bytes == 0 || named) return;
  bare.bss_bytes = 0;
  try_object(program, std::move(bare));
}

// Whether anything was removed.
bool Shrinker::shrink_program(std::size_t program) {
  const std::size_t before = filled_slots(object(program)).size() + object(program).text.size();
  blank_bundles(program);
  blank_slots(program);
  compact(program);
  simplify(program);
  return filled_slots(object(program)).size() + object(program).text.size() < before;
}

ShrinkResult Shrinker::run() {
  result_.bundles_before = weight();
  const TrialResult first = trial_.run(programs_, options_.trial);
  result_.signature = first.signature;
  result_.explanation = first.explanation;
  if (first.signature.empty()) return std::move(result_);
  programs_.resize(first.program + 1);
  tighten();
  drop_programs();
  for (std::size_t program = 0; program < programs_.size(); ++program) {
    if (object(program).text.size() > large_text) compact(program);
  }
  bool smaller = true;
  while (smaller && !over()) {
    smaller = false;
    for (std::size_t program = programs_.size(); program-- != 0;) {
      smaller = shrink_program(program) || smaller;
    }
  }
  for (std::size_t program = 0; program < programs_.size(); ++program) clear_data(program);
  result_.complete = !over();
  fails(programs_);  // the report of the smallest
  for (const TrialProgram& program : programs_) {
    result_.bundles += program.object.text.size();
    result_.operations += filled_slots(program.object).size();
  }
  result_.programs = programs_;
  result_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  return std::move(result_);
}

}  // namespace tandem
