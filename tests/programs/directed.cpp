#include "tests/programs/directed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "isa/state/trap.hpp"

namespace tandem::directed {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder = "tests/programs";
constexpr std::uint64_t hbm_bytes = std::uint64_t{1} << 32U;
constexpr std::uint32_t seed = 1;

SourceText read(const std::string& path) {
  std::optional<SourceText> source = read_source(path);
  if (!source) throw std::runtime_error("cannot read " + path);
  return *std::move(source);
}

Object assemble_program(const SourceText& source, const Parameters& preset) {
  AssembleOptions options;
  options.preset = preset.name;
  LinkResult result = build(std::span(&source, 1), options);
  if (!result.ok()) throw std::runtime_error(diagnostics_text(result.diagnostics));
  return std::move(result.program);
}

std::uint32_t mask_bit(const State& state, std::uint32_t row, std::uint32_t lane) {
  const std::uint32_t lanes = state.parameters->lanes;
  const std::uint32_t bit = (row % sublanes) * lanes + lane;
  return (state.mask(row / sublanes)[bit / 32] >> (bit % 32)) & 1U;
}

// The word of the final state; throws std::out_of_range when the expectation names no such word.
std::uint32_t actual(const GoldenModel& model, const ExpectedWord& word) {
  const State& state = model.state();
  const std::uint32_t lanes = state.parameters->lanes;
  if (word.lane >= lanes) throw std::out_of_range("lane");
  switch (word.place) {
    case Place::s: return state.scalars.at(word.index);
    case Place::p: return state.predicates.at(word.index);
    case Place::f: return state.flags.at(word.index);
    case Place::v: return state.vectors.at(word.index * lanes + word.lane);
    case Place::a: return state.accumulators.at(word.index * lanes + word.lane);
    case Place::m: return mask_bit(state, word.index, word.lane);
    case Place::vmem: return state.vmem.at(word.index * lanes + word.lane);
    case Place::smem: return state.smem.at(word.index);
    case Place::hbm: return model.hbm().read_word(word.index);
  }
  __builtin_unreachable();
}

Outcome outcome_of(const GoldenModel& model) {
  switch (model.status()) {
    case RunStatus::running:
    case RunStatus::waiting: return Outcome::running;
    case RunStatus::halted: return Outcome::halted;
    case RunStatus::trapped: return Outcome::trapped;
    case RunStatus::reported:
      return model.finding()->kind == FindingKind::race ? Outcome::race : Outcome::uninitialised;
  }
  __builtin_unreachable();
}

std::string describe(const GoldenModel& model) {
  std::string text = fmt::format("{} at pc {}", outcome_name(outcome_of(model)), model.pc());
  if (model.trap()) {
    text += fmt::format(", {} {} detail {}", trap_name(model.trap().cause),
                        slot_layouts[static_cast<std::size_t>(model.trap().slot)].name,
                        model.trap().detail);
  }
  if (model.finding()) {
    text += fmt::format(", bundle {}: {}", model.finding()->pc, model.finding()->message);
  }
  return text;
}

bool ended_as_expected(const GoldenModel& model, const Expectation& expected) {
  if (outcome_of(model) != expected.outcome || model.trap() != expected.trap) return false;
  if (model.finding()) return model.finding()->pc == expected.pc;
  return !model.trap() || model.pc() == expected.pc;
}

void compare_words(const GoldenModel& model, const Expectation& expected,
                   std::vector<std::string>& differences) {
  for (const ExpectedWord& word : expected.words) {
    const std::uint32_t got = actual(model, word);
    if (got == word.value) continue;
    differences.push_back(fmt::format("line {}: index {} lane {}: expected {:08x}, got {:08x}",
                                      word.line, word.index, word.lane, word.value, got));
  }
}

std::vector<fs::path> sorted_entries(const fs::path& path) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(path)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

std::vector<std::string> units() {
  std::vector<std::string> names;
  for (const fs::path& path : sorted_entries(folder)) {
    if (fs::is_directory(path)) names.push_back(path.filename().string());
  }
  return names;
}

std::vector<std::string> program_paths(const std::string& unit) {
  std::vector<std::string> paths;
  for (const fs::path& path : sorted_entries(fs::path(folder) / unit)) {
    if (path.extension() == ".s") paths.push_back(path.string());
  }
  return paths;
}

std::vector<std::string> program_paths() {
  std::vector<std::string> paths;
  for (const std::string& unit : units()) {
    const std::vector<std::string> more = program_paths(unit);
    paths.insert(paths.end(), more.begin(), more.end());
  }
  return paths;
}

Prepared::Prepared(const std::string& path, const Parameters& preset)
    : Prepared(read(path), preset) {}

Prepared::Prepared(SourceText text, const Parameters& preset)
    : source(std::move(text)),
      program(assemble_program(source, preset)),
      image(make_image(program)),
      launch(make_launch(image, {}, hbm_bytes, seed)),
      expectation(read_expectation(source, program)) {}

std::vector<std::string> differences_on_golden(const Prepared& prepared,
                                               const RecordReader& reader) {
  GoldenModel model(prepared.launch);
  RetireRecord record;
  for (std::uint64_t i = 0; i < prepared.expectation.limit; ++i) {
    if (model.status() != RunStatus::running) break;
    model.step(&record);
    if (reader) reader(record);
  }
  std::vector<std::string> differences;
  if (!ended_as_expected(model, prepared.expectation)) {
    differences.push_back("ended otherwise than expected: " + describe(model));
  }
  compare_words(model, prepared.expectation, differences);
  return differences;
}

}  // namespace tandem::directed
