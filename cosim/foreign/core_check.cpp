#include "cosim/foreign/core_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cosim/checker/copies.hpp"
#include "cosim/foreign/part_words.hpp"
#include "isa/golden/engine.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "runtime/models/golden_machine.hpp"

namespace tandem {
namespace {

// Compared together: enough to be fast, few enough to report a difference soon.
constexpr std::size_t most_waiting = 256;
// For a copy that is read for the core: as many words as in the largest VMEM.
constexpr std::uint64_t most_copy_words = std::uint64_t{4} << 20U;

// No instruction takes so many cycles.
constexpr std::uint64_t longest_silence = std::uint64_t{1} << 33U;
constexpr std::uint64_t most_cycles_at_once = 16 * 1024;
// Bundles that the cycle-exact model may be ahead of the core, whose events may be reported late.
constexpr std::uint64_t most_ahead = 16 * 1024;

CoreTerms terms_of(const CoreCheckOptions& options) {
  CoreTerms terms;
  terms.level = options.level;
  terms.limit = options.limit;
  return terms;
}

runtime::DeviceOptions placing(const CoreCheckOptions& options) {
  runtime::DeviceOptions device;
  device.model = runtime::Model::golden;
  device.hbm_bytes = options.hbm_bytes;
  device.seed = options.seed;
  return device;
}

CorePart part_of(CopySpace space) {
  switch (space) {
    case CopySpace::hbm: return CorePart::hbm;
    case CopySpace::vmem: return CorePart::vmem;
    case CopySpace::smem: return CorePart::smem;
  }
  return CorePart::hbm;
}

}  // namespace

CoreCheck::CoreCheck(Image image, const std::map<std::string, TensorData>& inputs,
                     const CoreCheckOptions& options)
    : terms_(terms_of(options)),
      job_(placing(options), std::move(image), inputs),
      run_(job_.start({})),
      at_start_(*job_.device().golden_model()),
      initial_hbm_(at_start_.hbm()) {
  power_up(options);
  LockstepOptions lockstep;
  lockstep.detect_races = options.detect_races;
  lockstep.detect_uninitialised = options.detect_uninitialised;
  lockstep.silence = std::numeric_limits<std::uint64_t>::max();
  lockstep.machine = options.machine;
  lockstep.command = options.command;
  lockstep.terms = &terms_;
  runner_ = start_lockstep(launch(), parts_, lockstep);
}

void CoreCheck::power_up(const CoreCheckOptions& options) {
  core_ = std::make_shared<ForeignCore>(parameters(), options.hbm_bytes, terms_);
  parts_.machine = core_;
  if (options.times && options.level == CheckLevel::all) {
    parts_.cycle_exact = make_timed_machine(parameters(), options.machine);
    terms_.parts.set(static_cast<std::size_t>(CorePart::timing));
  }
  parts_.power_up(options.hbm_bytes, options.seed, options.detect_races,
                  options.detect_uninitialised);
  parts_.golden->hbm() = initial_hbm_;
  core_->host_memory() = initial_hbm_;
  if (parts_.cycle_exact) parts_.cycle_exact->host_memory() = initial_hbm_;
}

std::vector<std::uint32_t> CoreCheck::initial(CorePart part) const {
  if (part >= CorePart::hbm) return {};
  std::vector<std::uint32_t> masks;
  return state_words(part, machine_state(at_start_.state(), masks), parameters());
}

// ---- events ----

void CoreCheck::refuse_finished() const {
  if (finished_) throw BadEvent{"the check is finished: nothing can follow"};
}

void CoreCheck::begin_event() {
  refuse_finished();
  began_ = true;
}

void CoreCheck::holds(CorePart part, std::span<const std::uint32_t> words) {
  refuse_finished();
  if (began_) throw BadEvent{"what a core holds as it begins follows an event"};
  if (parts_.cycle_exact) {
    throw BadEvent{"where times are compared, a core has to begin with the words it is given"};
  }
  if (words.size() != part_words(part, parameters()) ||
      !set_state_words(part, words, parts_.golden->engine().core.state)) {
    throw BadEvent{fmt::format("{} words are not what '{}' holds before anything was written",
                               words.size(), core_part_text(part))};
  }
}

void CoreCheck::set_cycle(std::uint64_t cycle) {
  begin_event();
  if (tells_cycles_ && cycle < core_->told_cycle()) {
    throw BadEvent{fmt::format("cycle {} follows cycle {}", cycle, core_->told_cycle())};
  }
  const std::uint64_t before = std::min(core_->told_cycle(), cycle);  // of events without a cycle
  if (cycle - before > longest_silence) {
    throw BadEvent{fmt::format("nothing for {} cycles", cycle - before)};
  }
  tells_cycles_ = true;
  core_->set_cycle(cycle);
  if (core_->waiting_groups() >= most_waiting) follow();
}

// A core that does not count cycles: one for each bundle, or for each copy if only these are
// reported.
void CoreCheck::count_cycle() {
  if (tells_cycles_) return;
  core_->set_cycle(core_->told_cycle() + 1);
  if (core_->waiting_groups() >= most_waiting) follow();
}

void CoreCheck::issue(const IssueEvent& event) {
  begin_event();
  check_issue(event);
  count_cycle();
  ++issues_;
  core_->events().issue(event);
}

void CoreCheck::write(const WriteEvent& event, std::size_t words) {
  begin_event();
  check_write(event, words, parameters());
  core_->events().write(event);
}

void CoreCheck::copy_issue(const CopyIssueEvent& event) {
  begin_event();
  if (terms_.level != CheckLevel::all) count_cycle();
  if (reader_) copies_[event.sequence] = event.copy;
  core_->events().copy_issue(event);
}

void CoreCheck::copy_done(const CopyDoneEvent& event) {
  begin_event();
  const auto copy = copies_.find(event.sequence);
  const bool known = copy != copies_.end();
  if (event.words.empty() && known && read_copy(copy->second)) {
    core_->events().copy_done({event.sequence, words_});
  } else {
    core_->events().copy_done(event);
  }
  if (known) copies_.erase(copy);
}

// Into words_, from the core's memory; false if it does not provide them, or the copy is out of
// range.
bool CoreCheck::read_copy(const CopyIssue& copy) {
  const CopySpace space = copy_destination_space(copy);
  const CorePart part = part_of(space);
  const std::uint64_t size =
      part == CorePart::hbm ? initial_hbm_.size() : 4 * part_words(part, parameters());
  words_.clear();
  bool fits = true;
  for_each_destination_run(copy, [&](std::uint64_t address, std::uint32_t bytes) {
    const std::size_t first = words_.size();
    fits = bytes / 4 <= most_copy_words - first && address <= size && bytes <= size - address;
    if (!fits) return false;
    words_.resize(first + bytes / 4);
    fits = reader_(part, address / 4, std::span(words_).subspan(first));
    return fits;
  });
  return fits;
}

void CoreCheck::time(const TimingEvent& event) {
  begin_event();
  check_timing(event);
  if (core_->timing() != nullptr && !over()) give_timing(event, *core_->timing());
}

void CoreCheck::tell(CorePart part, std::uint64_t first, std::span<const std::uint32_t> words) {
  begin_event();
  const std::uint64_t all = part_words(part, parameters());
  if (part == CorePart::hbm) {
    const std::uint64_t size = initial_hbm_.size() / 4;
    if (first > size || words.size() > size - first) {
      throw BadEvent{
          fmt::format("{} words of HBM from word {} on: it has {}", words.size(), first, size)};
    }
  } else if (all == 0 || first != 0 || words.size() != all) {
    throw BadEvent{fmt::format("{} words from word {} on are not all {} of '{}'", words.size(),
                               first, all, core_part_text(part))};
  }
  core_->tell(part, first, words);
}

void CoreCheck::rest_of_hbm_is_unchanged() {
  begin_event();
  core_->rest_of_hbm_is_unchanged();
}

// Lets golden and the cycle-exact model follow the events of complete cycles.
void CoreCheck::follow() {
  while (!over() && core_->waiting_cycles() != 0) {
    outcome_ = runner_->advance(std::min(core_->waiting_cycles(), most_cycles_at_once));
    check_distance();
  }
}

// A core that reports no bundle while cycles pass would let the cycle-exact model run forever.
void CoreCheck::check_distance() {
  if (!parts_.cycle_exact || over() || parts_.cycle_exact->bundles() <= issues_ + most_ahead)
    return;
  terms_.undecided = fmt::format(
      "in cycle {} the core had told of {} bundles, where the cycle-exact model issues {}",
      core_->cycles(), issues_, parts_.cycle_exact->bundles());
}

bool CoreCheck::over() const { return outcome_ != Outcome::running || !terms_.undecided.empty(); }

// ---- the end ----

void CoreCheck::ask_for_parts() {
  for (std::size_t number = 0; number < core_part_count; ++number) {
    const auto part = static_cast<CorePart>(number);
    const std::size_t count = part_words(part, parameters());
    if (count == 0 || terms_.tells(part)) continue;
    words_.resize(count);
    if (reader_(part, 0, words_)) core_->tell(part, 0, words_);
  }
  core_->set_hbm_reader([this](std::uint64_t first, std::span<std::uint32_t> words) {
    return reader_(CorePart::hbm, first, words);
  });
}

Outcome CoreCheck::finish() {
  begin_event();
  follow();
  if (!over() && reader_) ask_for_parts();
  finished_ = true;
  core_->stop(*parts_.golden);
  follow();
  if (!over()) outcome_ = runner_->advance(1);
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return outcome_;
}

Outcome CoreCheck::look() {
  begin_event();
  core_->set_cycle(core_->told_cycle() + 1);
  follow();
  return outcome_;
}

}  // namespace tandem
