// Every field that lockstep compares is corrupted on one side, and the report must name that field
// and that bundle. The machine is the golden-backed stand-in, and a second of the same seed has the
// part of the cycle-exact model, so this needs no RTL.
#include <catch2/catch.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "assembler/assembler.hpp"
#include "cosim/faults/fault.hpp"
#include "cosim/faults/replay_machine.hpp"
#include "cosim/lockstep/runners.hpp"
#include "runtime/models/runner.hpp"
#include "tests/cosim/planted_program.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* program = planted_program;
constexpr const char* ending_halt = planted_halt;
constexpr const char* ending_trap = planted_trap;

struct Result {
  Outcome outcome = Outcome::running;
  nlohmann::json report;
  std::string text;
  std::optional<std::uint64_t> planted;
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;
  std::uint64_t volatile_reads = 0;
  std::uint64_t events = 0;

  bool operator==(const Result&) const = default;
};

// How the others follow the machine.
struct Following {
  std::uint32_t threads = 1;
  std::uint64_t slice_cycles = 1024;
  std::size_t kept_words = 0;
};

Result run_with(const std::optional<Fault>& fault, const char* ending, const Following& following) {
  const SourceText source{"planted.s", std::string(program) + ending};
  const LinkResult built = build(std::vector{source});
  INFO(diagnostics_text(built.diagnostics));
  REQUIRE(built.ok());
  const Image image = make_image(built.program);
  const Launch launch = make_launch(image, {}, 1U << 20U, 1);
  std::unique_ptr<Machine> machine = make_replay_machine(*image.preset, 5);
  Result result;
  if (fault) machine = make_faulty_machine(std::move(machine), *fault, &result.planted);
  LockstepOptions options;
  options.detect_uninitialised = false;
  options.threads = following.threads;
  options.slice_cycles = following.slice_cycles;
  options.kept_words = following.kept_words;
  const auto runner = make_lockstep_runner(launch, std::move(machine),
                                           make_replay_machine(*image.preset, 5), options);
  result.outcome = runner->advance(100'000);
  result.bundles = runner->bundles();
  result.cycles = runner->cycles();
  result.volatile_reads = runner->volatile_reads();
  result.events = runner->events();
  if (result.outcome == Outcome::mismatch) {
    result.text = runner->explanation();
    CHECK(!result.text.empty());
    result.report = nlohmann::json::parse(runner->explanation_json());
  }
  return result;
}

// The same whether the other models follow directly or in a thread of their own, in any parts.
Result run_with(const std::optional<Fault>& fault, const char* ending = ending_halt) {
  Result result = run_with(fault, ending, {});
  CHECK(run_with(fault, ending, {2, 1024}) == result);
  CHECK(run_with(fault, ending, {2, 1024, 100}) == result);
  const Result in_slices = run_with(fault, ending, {1, 16});
  CHECK(in_slices.text == result.text);
  CHECK(run_with(fault, ending, {2, 16}) == in_slices);
  CHECK(run_with(fault, ending, {1, 16, 50}) == in_slices);
  CHECK(run_with(fault, ending, {2, 16, 50}) == in_slices);
  return result;
}

bool needs_trap(CompareField field) {
  return field == CompareField::end_trap_cause || field == CompareField::end_trap_pc ||
         field == CompareField::end_trap_detail;
}

// After how many cycles a machine has shown the issue of each bundle.
class IssueCycles final : public EventSink {
 public:
  explicit IssueCycles(const Machine& machine) : machine_(machine) {}
  void copy_done(const CopyDoneEvent&) override {}
  void issue(const IssueEvent&) override { cycles.push_back(machine_.cycles() + 1); }
  void copy_issue(const CopyIssueEvent&) override {}
  void write(const WriteEvent&) override {}

  std::vector<std::uint64_t> cycles;

 private:
  const Machine& machine_;
};

std::vector<std::uint64_t> issue_cycles() {
  const LinkResult built =
      build(std::vector{SourceText{"planted.s", std::string(program) + ending_halt}});
  const Image image = make_image(built.program);
  const Launch launch = make_launch(image, {}, 1U << 20U, 1);
  const std::unique_ptr<Machine> machine = make_replay_machine(*image.preset, 5);
  IssueCycles seen(*machine);
  power_up_and_start(*machine, launch);
  while (machine->cycle(&seen)) {
  }
  return seen.cycles;
}

// Corruptions whose bundle number is itself wrong, or that belong to no bundle.
bool names_bundle(CompareField field) {
  const std::string_view text = compare_field(field).text;
  return field != CompareField::write_sequence && field != CompareField::issue_extra &&
         field != CompareField::timing_beats && field != CompareField::timing_counter &&
         text.substr(0, 4) != "end." && text.substr(0, 6) != "final.";
}

}  // namespace

TEST_CASE("without a planted fault nothing differs") {
  const Result halted = run_with(std::nullopt);
  CHECK(halted.outcome == Outcome::halted);
  CHECK(halted.bundles > 30);
  CHECK(halted.volatile_reads == 3);
  CHECK(run_with(std::nullopt, ending_trap).outcome == Outcome::trapped);
}

TEST_CASE("a fault planted in any compared field is reported by its name and bundle") {
  for (const CompareFieldRow& row : compare_fields()) {
    for (const std::uint64_t sequence : {0, 13}) {
      DYNAMIC_SECTION(row.text << " from bundle " << sequence) {
        const Fault fault{row.field, sequence, std::nullopt, std::nullopt};
        const Result result = run_with(fault, needs_trap(row.field) ? ending_trap : ending_halt);
        REQUIRE(result.outcome == Outcome::mismatch);
        CHECK(result.report["field"] == row.text);
        if (!names_bundle(row.field)) continue;
        REQUIRE(result.planted);
        CHECK(result.report["sequence"] == *result.planted);
      }
    }
  }
}

TEST_CASE("what a bundle that traps or branches does is compared like any other") {
  const Fault faults[] = {{CompareField::issue_trap_cause, 0, {}, {}, Op::trap},
                          {CompareField::issue_trap_slot, 0, {}, {}, Op::trap},
                          {CompareField::issue_trap_detail, 0, {}, {}, Op::trap},
                          {CompareField::issue_next_pc, 0, {}, {}, Op::br}};
  for (const Fault& fault : faults) {
    CAPTURE(compare_field(fault.field).text);
    const Result result = run_with(fault, ending_trap);
    REQUIRE(result.outcome == Outcome::mismatch);
    CHECK(result.report["field"] == compare_field(fault.field).text);
    CHECK(result.report["sequence"] == result.planted.value());
  }
}

TEST_CASE("the first and last places of the state at the end are compared, and every status bit") {
  struct Case {
    CompareField field;
    std::uint64_t last;
  };
  const Case cases[] = {
      {CompareField::final_sreg, 31},          {CompareField::final_preg, 7},
      {CompareField::final_mreg, 15},          {CompareField::final_flag, 31},
      {CompareField::final_smem, 4095},        {CompareField::final_vmem, 2048 * 8 - 1},
      {CompareField::final_vreg, 64 * 64 - 1}, {CompareField::end_status, 2}};
  for (const Case& item : cases) {
    for (const std::uint64_t number : {std::uint64_t{1}, item.last}) {
      CAPTURE(compare_field(item.field).text, number);
      const Result result = run_with(Fault{item.field, number, {}, {}});
      REQUIRE(result.outcome == Outcome::mismatch);
      CHECK(result.report["field"] == compare_field(item.field).text);
    }
  }
}

TEST_CASE("a write of the very last bundle that does not come is missed") {
  const char* const ending = "        { sa: halt ; sb: s20 = mov 1 }\n";
  const std::uint64_t last = run_with(std::nullopt, ending).bundles - 1;
  const Result result = run_with(Fault{CompareField::write_missing, last, {}, {}}, ending);
  REQUIRE(result.outcome == Outcome::mismatch);
  CHECK(result.report["field"] == "write.missing");
  CHECK(result.report["sequence"] == last);
}

TEST_CASE("a write that does not come is missed while the run goes on") {
  const char* const ending =
      "        { s9 = mov 9000 }\n"
      "again:  { s9 = sub s9, 1 ; p1 = ne s9, 1 }\n"
      "        { sa: @p1 br again }\n"
      "        { halt }\n";
  const std::uint64_t all = run_with(std::nullopt, ending).bundles;
  const Result result = run_with(Fault{CompareField::write_missing, 5, {}, {}}, ending);
  REQUIRE(result.outcome == Outcome::mismatch);
  CHECK(result.report["field"] == "write.missing");
  CHECK(result.report["sequence"] == result.planted.value());
  CHECK(result.bundles < all);
}

TEST_CASE("a copy of one word is compared") {
  const char* const ending =
      "        { s4 = mov 4 }\n"
      "        { sb: sst [6], s4 }\n"
      "        { copy [s0], s0, s0 }\n"
      "        { wait f0, 4 }\n"
      "        { halt }\n";
  const std::uint64_t copy = run_with(std::nullopt, ending).bundles - 3;
  const Result result = run_with(Fault{CompareField::copy_bytes, copy, {}, {}}, ending);
  REQUIRE(result.outcome == Outcome::mismatch);
  CHECK(result.report["field"] == "copy.bytes");
  CHECK(result.report["sequence"] == copy);
}

TEST_CASE("a report says in which cycle the difference was seen") {
  const std::vector<std::uint64_t> cycles = issue_cycles();
  for (const std::uint64_t sequence : {0, 7, 20, 31}) {
    const Result result = run_with(Fault{CompareField::issue_pc, sequence, {}, {}});
    REQUIRE(result.outcome == Outcome::mismatch);
    CHECK(result.report["cycle"] == cycles.at(sequence));
  }
}

TEST_CASE("wrong data is found in every slot and space that writes") {
  struct Case {
    Slot slot;
    Space space;
  };
  constexpr Case cases[] = {
      {Slot::sa, Space::sreg}, {Slot::sb, Space::preg},      {Slot::sb, Space::smem},
      {Slot::sb, Space::sreg}, {Slot::va, Space::vreg},      {Slot::vb, Space::sreg},
      {Slot::vb, Space::mreg}, {Slot::ld, Space::vreg},      {Slot::st, Space::vmem},
      {Slot::mx, Space::acc},  {Slot::mx, Space::vreg},      {Slot::xu, Space::vreg},
      {Slot::xu, Space::sreg}, {Slot::dma, Space::flag_add}, {Slot::dma, Space::flag_set},
  };
  const CompareField fields[] = {CompareField::write_data, CompareField::write_index,
                                 CompareField::write_missing, CompareField::write_extra,
                                 CompareField::write_space};
  for (const Case& item : cases) {
    for (const CompareField field : fields) {
      const Result result = run_with(Fault{field, 0, item.slot, item.space});
      CAPTURE(slot_layouts[static_cast<std::size_t>(item.slot)].name, compare_field(field).text,
              static_cast<int>(item.space));
      REQUIRE(result.outcome == Outcome::mismatch);
      CHECK(result.report["field"] == compare_field(field).text);
      CHECK(result.report["slot"] == slot_layouts[static_cast<std::size_t>(item.slot)].name);
      CHECK(result.report["sequence"] == result.planted.value());
    }
  }
}

TEST_CASE("wrong bytes of a copy are found in every memory") {
  for (const Space space : {Space::none, Space::vmem, Space::smem}) {
    const Result result = run_with(Fault{CompareField::copy_bytes, 0, std::nullopt, space});
    CAPTURE(static_cast<int>(space));
    REQUIRE(result.outcome == Outcome::mismatch);
    CHECK(result.report["field"] == "copy.bytes");
    CHECK(result.report["sequence"] == result.planted.value());
  }
}

TEST_CASE("a report of a difference in time shows the bundles on both sides") {
  const Result result = run_with(Fault{CompareField::timing_issue, 20, std::nullopt, std::nullopt});
  REQUIRE(result.outcome == Outcome::mismatch);
  const nlohmann::json& last = result.report["last_bundles"].back();
  REQUIRE(last["sequence"] == 20);
  const std::uint64_t expected = last["expected"]["cycle"];
  CHECK(last["got"]["cycle"] == expected + 1);
  CHECK(result.report["cycle"] == expected);
  CHECK(result.report["last_bundles"].size() == 21);
  CHECK(result.report["last_bundles"][0]["text"].get<std::string>().find("mov") !=
        std::string::npos);
  CHECK(result.report["copies_in_flight"]["expected"] == result.report["copies_in_flight"]["got"]);
}
