// Every row of isa/timing.def is either named in the RTL or held against it here: two bundles whose
// distance in cycles the RTL decides, and what the row says of it. A row that is changed alone
// fails.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "cosim/lockstep/runners.hpp"
#include "isa/builder/object_builder.hpp"
#include "isa/object/link.hpp"
#include "isa/timing.hpp"
#include "tests/cosim/presets.hpp"

namespace tandem {
namespace {

using namespace builder;  // NOLINT: a test file

// The cycle in which each bundle issued.
class Issues final : public TimingSink {
 public:
  void issued(const IssueTiming& event) override { cycle[event.pc] = event.cycle; }
  void lost(const LostCycles&) override {}
  void copy_started(const CopyStart&) override {}
  void copy_done(const CopyDone&) override {}
  void beats(const MemoryBeats&) override {}
  void progress(std::uint64_t) override {}
  void ended(std::uint64_t) override {}

  std::map<std::uint32_t, std::uint64_t> cycle;
};

struct Pair {
  std::vector<Placed> before;  // a bundle each
  Placed first;
  Placed second;
  std::vector<Placed> between = {};
  std::optional<Placed> with_first = {};
};

// Cycles from the issue of the first to that of the second, on the RTL, fetched ahead of both.
std::uint64_t distance(std::string_view preset, const Pair& pair) {
  ObjectBuilder object(*find_preset(preset));
  for (const Placed& item : pair.before) object.bundle({item});
  object.bundle({op::idle(200)});
  const std::uint32_t first =
      pair.with_first ? object.bundle({pair.first, *pair.with_first}) : object.bundle({pair.first});
  for (const Placed& item : pair.between) object.bundle({item});
  const std::uint32_t second = object.bundle({pair.second});
  object.bundle({op::halt()});
  const LinkInput input{"pair", object.finish()};
  const Image image = make_image(link(std::span(&input, 1)).program);
  const Launch launch = make_launch(image, {}, 1U << 24U, 1);
  Issues issues;
  RunnerOptions options;
  options.timing = &issues;
  options.machine.memory.jitter = 0;
  REQUIRE(make_runner("rtl", launch, options)->advance(100'000) == Outcome::halted);
  return issues.cycle.at(second) - issues.cycle.at(first);
}

struct HeldRow {
  std::string_view name;
  Pair pair;
  std::uint64_t expected;
};

// A descriptor at word 16 of SMEM, of a copy of one word within SMEM that adds 1 to flag 1.
std::vector<Placed> small_copy() {
  std::vector<Placed> words;
  const auto set = [&](std::int32_t word, std::int32_t value) {
    words.push_back(op::ssti(Smem(16 + word), value));
  };
  set(0, 1 << 16 | 2 << 10 | 2 << 8);
  set(1, 1);
  set(2, 64 * 4);
  set(4, 65 * 4);
  set(6, 4);
  for (const std::int32_t count : {7, 10, 13}) set(count, 1);
  return words;
}

// `lanes`: L of the preset.
std::vector<HeldRow> held_rows(std::uint32_t lanes) {
  using namespace timing;
  const Placed use_v1 = op::vmov(v(2), v(1));
  const Placed multiply = op::mxmul_bf16(a(0), v(1).f32());
  const Placed swap = op::mxmul_bf16(a(0), v(1).f32(), rows(1), swapped);
  const std::vector<Placed> until_release(weight_buffers - 2, swap);
  // Taken, read, written, done, and the flag has its amount.
  constexpr std::uint64_t of_small_copy = copy_start + 5;
  const Placed copy = op::copy(Descriptor(1), s(0), s(0));
  std::vector<HeldRow> rows{
      {"copy_start", {small_copy(), copy, op::wait(f(1), 1)}, of_small_copy},
      {"copy_start",
       {small_copy(), copy, op::wait(f(1), 1), {}, op::vst(Vmem(0), v(1), stride(8))},
       of_small_copy + 7},
      {"scalar_load", {{}, op::sld(s(1), Smem(0)), op::add(s(2), s(1), 1)}, scalar_load + 1},
      {"valu", {{}, op::vmov(v(1), v(3)), use_v1}, valu + 1},
      {"load", {{}, op::vld(v(1), Vmem(0)), use_v1}, timing::load + 1},
      {"load", {{}, op::vld(v(1), Vmem(0), stride(8)), use_v1}, 8 - 1 + timing::load + 1},
      {"acc_read", {{multiply}, op::mxread(v(1), a(0)), use_v1}, acc_read + 1},
      {"row_unit", {{}, op::exp2(v(1), v(2)), op::exp2(v(3), v(4))}, row_unit},
      {"row_unit", {{}, op::lsum_f32(v(1), v(2)), op::lsum_f32(v(3), v(4))}, row_unit},
      {"row_unit_result", {{}, op::exp2(v(1), v(3)), use_v1}, row_unit_result + 1},
      {"row_unit_result", {{}, op::lsum_f32(v(1), v(3)), use_v1}, row_unit_result + 1},
      {"push",
       {{}, op::mxpush(WeightRow(0), v(1).f32()), op::mxpush(WeightRow(0), v(2).f32())},
       push},
      {"multiply_row", {{}, multiply, op::mxread(v(2), a(0))}, multiply_row + lanes + 7},
      {"push", {{}, op::mxpusht(WeightRow(0), v(1).f32()), swap}, 1},
      {"weight_buffers",
       {{},
        swap,
        op::mxpusht(WeightRow(0), v(1).f32()),
        {until_release.begin() + 1, until_release.end()}},
       weight_buffers - 2},
  };
  // The rows that are filled last are free last, but never later than after L cycles.
  for (std::uint32_t row = 0; row < lanes; row += 8) {
    const auto free = std::min(lanes, row + swap_refill);
    rows.push_back({"swap_refill",
                    {{},
                     swap,
                     op::mxpush(WeightRow(static_cast<std::int32_t>(row)), v(1).f32()),
                     until_release},
                    free});
  }
  return rows;
}

std::string text_of_rtl() {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("rtl")) {
    if (entry.path().extension() != ".sv" || entry.path().filename() == "tpu_pkg.sv") continue;
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

// Whether the RTL names a constant of the package, as a whole word.
bool names(const std::string& rtl, const std::string& constant) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = rtl.find(constant); at != std::string::npos;
       at = rtl.find(constant, at + 1)) {
    const std::size_t end = at + constant.size();
    if (end >= rtl.size() || !is_word(rtl[end])) return true;
  }
  return false;
}

std::string upper(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

TEST_CASE("every latency that the RTL does not name is the one it has") {
  for (const std::string_view preset : rtl_presets()) {
    for (const HeldRow& row : held_rows(find_preset(preset)->lanes)) {
      INFO(preset << ", row " << row.name);
      CHECK(distance(preset, row.pair) == row.expected);
    }
  }
}

TEST_CASE("every row of the timing table is named in the RTL or held against it") {
  const std::string rtl = text_of_rtl();
  std::set<std::string_view> held;
  for (const HeldRow& row : held_rows(16)) held.insert(row.name);
  for (const TimingRow& row : timing_table) {
    INFO("row " << row.name);
    CHECK((names(rtl, "TIMING_" + upper(row.name)) || held.count(row.name) != 0));
  }
}

}  // namespace tandem
