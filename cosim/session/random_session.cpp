#include "cosim/session/random_session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/reports/signature.hpp"
#include "cosim/rng.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t cycle_limit = 3'000'000;
constexpr std::uint64_t cycles_per_bundle = 20'000;  // of the text: loops included

std::string describe(const Runner& runner, Outcome outcome) {
  if (const auto finding = runner.finding()) {
    return fmt::format("{} at bundle pc {}: {}\n", outcome_name(outcome), finding->pc,
                       finding->message);
  }
  if (outcome == Outcome::running) {
    return fmt::format("no end after {} cycles, {} bundles, pc {}\n", runner.cycles(),
                       runner.bundles(), runner.pc());
  }
  return runner.explanation();
}

// For start copies.
void fill_tensors(Launch& launch, std::uint64_t seed) {
  Rng rng(seed ^ 0x7374617274ULL);
  for (const PlacedTensor& placed : launch.tensors) {
    HbmSegment segment{placed.address, std::vector<std::uint8_t>(placed.bytes)};
    for (std::uint8_t& byte : segment.bytes) byte = static_cast<std::uint8_t>(rng.next());
    launch.segments.push_back(std::move(segment));
  }
}

void load_anything(Launch& launch, std::uint64_t seed) {
  Rng rng(seed);
  if (!rng.chance(50)) return;
  const auto text_words = static_cast<std::uint32_t>(launch.image->text.size()) * bundle_words;
  launch.argument_words = 1 + rng.below(std::min(text_words, 600U));
  launch.argument_pointer =
      launch.text_address + 4 * rng.below(text_words - launch.argument_words + 1);
}

}  // namespace

MachineOptions random_machine_options(std::uint64_t seed) {
  Rng rng(seed ^ 0x6d656d6f7279ULL);
  constexpr std::uint32_t latencies[] = {1, 8, 40, 100, 300};
  constexpr std::uint32_t jitters[] = {0, 0, 5, 60};
  MachineOptions options;
  options.memory.latency = rng.pick(latencies);
  options.memory.jitter = rng.pick(jitters);
  options.memory.outstanding = 1 + rng.below(64);
  options.memory.seed = rng.next();
  options.reset_seed = rng.next() | 1U;
  return options;
}

std::uint64_t random_program_seed(std::uint64_t seed, std::uint32_t number) {
  return number == 0 ? seed : Rng(seed + std::uint64_t{number} * 0x10001).next64();
}

Launch random_launch(const Image& image, std::uint64_t seed, const RandomKnobs& knobs) {
  Launch launch = make_launch(image, {}, random_hbm_bytes, static_cast<std::uint32_t>(seed));
  launch.text_address = random_text_address(knobs, image.text.size());
  for (HbmSegment& segment : launch.segments) {
    if (segment.address == text_base) segment.address = launch.text_address;
  }
  fill_tensors(launch, seed);
  load_anything(launch, seed);
  return launch;
}

RandomLockstep::RandomLockstep(const Parameters& parameters, const MachineFactory& make_machine,
                               const MachineFactory& make_cycle_exact, KnobChoices choices,
                               std::string command)
    : parameters_(parameters), choices_(std::move(choices)), command_(std::move(command)) {
  parts_.machine = make_machine(parameters, {});
  if (make_cycle_exact) parts_.cycle_exact = make_cycle_exact(parameters, {});
}

RandomSession random_session(std::uint64_t seed, const KnobChoices& choices) {
  RandomSession session;
  session.machine = random_machine_options(seed);
  const RandomKnobs first = random_knobs(seed, choices);
  session.machine.memory.write_hold = first.write_hold;
  session.machine.memory.beat = first.beat;
  for (std::uint32_t number = 0; number < first.launches; ++number) {
    const std::uint64_t program = random_program_seed(seed, number);
    session.programs.push_back({program, random_knobs(program, choices)});
  }
  return session;
}

void RandomLockstep::run_program(const RandomSession::Member& member,
                                 const LockstepOptions& options, RandomResult& result) {
  const RandomKnobs& knobs = member.knobs;
  const Image image = random_program(parameters_, member.seed, knobs);
  const Launch launch = random_launch(image, member.seed, knobs);
  if (coverage_ != nullptr) coverage_->begin(image);
  const auto runner = start_lockstep(launch, parts_, options);
  const std::uint64_t budget = std::uint64_t{knobs.bundles} * knobs.turns;
  result.outcome = runner->advance(cycle_limit + budget * cycles_per_bundle);
  ++result.programs;
  result.halted += result.outcome == Outcome::halted ? 1 : 0;
  result.trapped += result.outcome == Outcome::trapped ? 1 : 0;
  result.bundles += runner->bundles();
  result.cycles += runner->cycles();
  result.volatile_reads += runner->volatile_reads();
  if (result.passed()) return;
  result.signature = failure_signature(*runner, result.outcome);
  result.explanation = describe(*runner, result.outcome);
  if (result.programs > 1) {
    result.explanation += fmt::format("launch {} on this machine\n", result.programs);
  }
  result.explanation_json = runner->explanation_json();
}

RandomResult RandomLockstep::run(std::uint64_t seed, const KnobChoices& choices) {
  const RandomSession session = random_session(seed, choices);
  LockstepOptions options;
  options.detect_uninitialised = false;
  options.machine = session.machine;
  options.wave = wave_;
  options.command = fmt::format("{} --seed {} --preset {}{}", command_, seed, parameters_.name,
                                knob_options(choices));
  if (coverage_ != nullptr) {
    options.reader = [this](const RetireRecord& record) { coverage_->record(record); };
    options.timing = coverage_;
  }
  parts_.machine->set_memory(options.machine.memory);
  parts_.machine->set_reset_seed(options.machine.reset_seed);
  if (parts_.cycle_exact) parts_.cycle_exact->set_memory(options.machine.memory);
  parts_.power_up(random_hbm_bytes, static_cast<std::uint32_t>(seed), options.detect_races,
                  options.detect_uninitialised);
  RandomResult result;
  for (const RandomSession::Member& member : session.programs) {
    run_program(member, options, result);
    if (!result.passed()) break;
  }
  return result;
}

}  // namespace tandem
