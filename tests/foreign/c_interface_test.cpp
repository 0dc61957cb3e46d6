// A core behind the checker through its C interface: the events of the stand-in and the cycle-exact
// model are reported by calls, with a fault planted in each field that lockstep compares.
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "assembler/assembler.hpp"
#include "assembler/elf.hpp"
#include "cosim/c_interface/tandem_checker.h"
#include "cosim/faults/fault.hpp"
#include "cosim/faults/replay_machine.hpp"
#include "cosim/foreign/part_words.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/cosim/planted_program.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// Passes a machine's reports to a checker.
class Teller final : public EventSink, public TimingSink {
 public:
  Teller(tandem_checker* checker, const Parameters& parameters)
      : checker_(checker), parameters_(parameters) {}

  tandem_result worst = TANDEM_OK;

  void issue(const IssueEvent& event) override {
    tandem_issue c{};
    c.sequence = event.sequence;
    c.pc = event.pc;
    c.next_pc = event.next_pc;
    std::copy(event.bundle.begin(), event.bundle.end(), c.bundle);
    c.enabled = event.enabled;
    c.halted = event.halted ? 1 : 0;
    c.trap_cause = static_cast<std::uint32_t>(event.trap.cause);
    c.trap_slot = static_cast<std::uint32_t>(event.trap.slot);
    c.trap_detail = event.trap.detail;
    note(tandem_checker_issue(checker_, &c));
  }
  void write(const WriteEvent& event) override {
    tandem_write c{};
    c.sequence = event.sequence;
    c.slot = static_cast<std::uint32_t>(event.slot);
    c.space = static_cast<std::uint32_t>(event.space);
    c.index = event.index;
    c.row = event.row;
    std::copy(event.lanes.begin(), event.lanes.end(), c.lanes);
    c.is_volatile = event.volatile_csr ? 1 : 0;
    c.word_count = data_words(event.space, parameters_);
    c.words = event.data;
    note(tandem_checker_write(checker_, &c));
  }
  void copy_issue(const CopyIssueEvent& event) override {
    tandem_copy c{};
    c.sequence = event.sequence;
    std::copy(event.copy.descriptor.begin(), event.copy.descriptor.end(), c.descriptor);
    c.source = event.copy.source;
    c.destination = event.copy.destination;
    note(tandem_checker_copy_issue(checker_, &c));
  }
  void copy_done(const CopyDoneEvent& event) override {
    note(
        tandem_checker_copy_done(checker_, event.sequence, event.words.data(), event.words.size()));
  }

  void issued(const IssueTiming& event) override {
    tandem_timing c = of(TANDEM_TIMING_ISSUE, event.cycle, event.sequence);
    c.pc = event.pc;
    c.next_pc = event.next_pc;
    c.enabled = event.enabled;
    c.halted = event.halted ? 1 : 0;
    c.trap_cause = static_cast<std::uint32_t>(event.trap.cause);
    c.trap_slot = static_cast<std::uint32_t>(event.trap.slot);
    c.trap_detail = event.trap.detail;
    tell(c);
  }
  void lost(const LostCycles& event) override {
    tandem_timing c = of(TANDEM_TIMING_LOST, event.first, 0);
    c.count = event.count;
    c.cause = static_cast<std::uint32_t>(event.cause);
    tell(c);
  }
  void copy_started(const CopyStart& event) override {
    tell(of(TANDEM_TIMING_COPY_START, event.cycle, event.sequence));
  }
  void copy_done(const CopyDone& event) override {
    tell(of(TANDEM_TIMING_COPY_DONE, event.cycle, event.sequence));
  }
  void beats(const MemoryBeats& event) override {
    tandem_timing c = of(TANDEM_TIMING_BEATS, event.first, 0);
    c.count = event.count;
    c.path = static_cast<std::uint32_t>(event.path);
    tell(c);
  }
  void marked(const MarkerTiming& event) override {
    tandem_timing c = of(TANDEM_TIMING_MARKER, event.cycle, event.sequence);
    const std::vector<std::uint32_t> counters = counter_words(event.counters);
    c.pc = event.pc;
    c.code = event.code;
    c.counters = counters.data();
    tell(c);
  }
  void progress(std::uint64_t cycle) override { tell(of(TANDEM_TIMING_PROGRESS, cycle, 0)); }
  void ended(std::uint64_t cycles) override { tell(of(TANDEM_TIMING_ENDED, cycles, 0)); }

 private:
  static tandem_timing of(tandem_timing_kind kind, std::uint64_t cycle, std::uint64_t sequence) {
    tandem_timing c{};
    c.kind = kind;
    c.cycle = cycle;
    c.sequence = sequence;
    return c;
  }
  void tell(const tandem_timing& event) { note(tandem_checker_timing(checker_, &event)); }
  void note(tandem_result result) {
    INFO(tandem_checker_error(checker_));
    CHECK(result >= TANDEM_OK);
    worst = std::min(worst, result);
  }

  tandem_checker* checker_;
  const Parameters& parameters_;
};

struct Destroy {
  void operator()(tandem_checker* checker) const { tandem_checker_destroy(checker); }
};
using CheckerHandle = std::unique_ptr<tandem_checker, Destroy>;

struct Program {
  std::vector<std::uint8_t> elf;
  Image image;
};

Program program_of(const char* ending) {
  const LinkResult built =
      build(std::vector{SourceText{"planted.s", std::string(planted_program) + ending}});
  REQUIRE(built.ok());
  return {write_elf(built.program), make_image(built.program)};
}

tandem_checker_options options_of(const Program& program) {
  tandem_checker_options options{};
  options.version = TANDEM_CHECKER_VERSION;
  options.elf = program.elf.data();
  options.elf_bytes = program.elf.size();
  options.hbm_bytes = 1U << 20U;
  options.no_uninitialised_check = 1;
  return options;
}

CheckerHandle create(const tandem_checker_options& options) {
  tandem_checker* checker = nullptr;
  char message[256] = "";
  const tandem_result result = tandem_checker_create(&options, &checker, message, sizeof message);
  INFO(message);
  REQUIRE(result == TANDEM_OK);
  return CheckerHandle(checker);
}

// The `user` argument of a reader.
int read_machine(void* user, tandem_part part, std::uint64_t first, std::size_t count,
                 std::uint32_t* words) {
  const Machine& machine = *static_cast<const Machine*>(user);
  if (part == TANDEM_PART_HBM) {
    machine.hbm().read_words(4 * first, {words, count});
    return 0;
  }
  if (part > TANDEM_PART_VMEM) return 1;
  const std::vector<std::uint32_t> all =
      state_words(static_cast<CorePart>(part), machine.state(), machine.parameters());
  std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), count, words);
  return 0;
}

void tell_words(tandem_checker* checker, tandem_part part,
                const std::vector<std::uint32_t>& words) {
  CHECK(tandem_checker_tell(checker, part, 0, words.size(), words.data()) >= TANDEM_OK);
}

// Runs the machine to its end, reports all of it, and finishes.
void run(tandem_checker* checker, Machine& machine, const Launch& launch, bool reads = true) {
  Teller teller(checker, machine.parameters());
  if (reads) REQUIRE(tandem_checker_set_reader(checker, read_machine, &machine) == TANDEM_OK);
  machine.power_up(launch.hbm_bytes, launch.seed);
  machine.set_timing(&teller);
  machine.start(launch);
  for (bool running = true; running;) {
    CHECK(tandem_checker_cycle(checker, machine.cycles()) >= TANDEM_OK);
    running = machine.cycle(&teller);
  }
  tell_words(checker, TANDEM_PART_STATUS, status_words(machine.status()));
  tell_words(checker, TANDEM_PART_COUNTERS, counter_words(machine.counters()));
  CHECK(tandem_checker_finish(checker) == TANDEM_OK);
}

bool needs_trap(CompareField field) {
  return field == CompareField::end_trap_cause || field == CompareField::end_trap_pc ||
         field == CompareField::end_trap_detail;
}

bool is_of_time(CompareField field) { return compare_field(field).text.substr(0, 7) == "timing."; }

std::unique_ptr<Machine> machine_with(const Program& program, const std::optional<Fault>& fault,
                                      bool times) {
  std::unique_ptr<Machine> machine = times ? make_cycle_machine(*program.image.preset, {})
                                           : make_replay_machine(*program.image.preset, 5);
  if (!fault) return machine;
  return make_faulty_machine(std::move(machine), *fault, nullptr);
}

CheckerHandle checked(const char* ending, const std::optional<Fault>& fault, bool times,
                      std::uint32_t level = TANDEM_LEVEL_ALL) {
  const Program program = program_of(ending);
  tandem_checker_options options = options_of(program);
  options.times = times ? 1 : 0;
  options.level = level;
  CheckerHandle checker = create(options);
  const Launch launch = make_launch(program.image, {}, options.hbm_bytes, 1);
  const std::unique_ptr<Machine> machine = machine_with(program, fault, times);
  run(checker.get(), *machine, launch);
  return checker;
}

std::vector<std::string> left_out(tandem_checker* checker) {
  std::vector<std::string> list;
  while (const char* text = tandem_checker_not_compared(checker, list.size()))
    list.emplace_back(text);
  return list;
}

}  // namespace

TEST_CASE("a core without a fault passes through the C interface, times too") {
  for (const bool times : {false, true}) {
    const CheckerHandle halted = checked(planted_halt, std::nullopt, times);
    INFO(tandem_checker_report(halted.get()));
    CHECK(tandem_checker_verdict(halted.get()) == TANDEM_VERDICT_HALTED);
    CHECK(tandem_checker_events(halted.get()) > 100);
    CHECK(std::string(tandem_checker_field(halted.get())).empty());
    const std::vector<std::string> list = left_out(halted.get());
    REQUIRE(list.size() == (times ? 1 : 2));
    CHECK(list.front() ==
          (times ? "HBM at the end but for the pages that golden has touched" : "times"));
    CHECK(tandem_checker_verdict(checked(planted_trap, std::nullopt, times).get()) ==
          TANDEM_VERDICT_TRAPPED);
  }
}

TEST_CASE("a fault in any field that lockstep compares is found through the C interface") {
  for (const CompareFieldRow& row : compare_fields()) {
    DYNAMIC_SECTION(row.text) {
      const CheckerHandle checker =
          checked(needs_trap(row.field) ? planted_trap : planted_halt,
                  Fault{row.field, 13, std::nullopt, std::nullopt}, is_of_time(row.field));
      INFO(tandem_checker_report(checker.get()));
      REQUIRE(tandem_checker_verdict(checker.get()) == TANDEM_VERDICT_MISMATCH);
      CHECK(tandem_checker_field(checker.get()) == std::string(row.text));
      const auto page = nlohmann::json::parse(tandem_checker_report_json(checker.get()));
      CHECK(page["field"] == row.text);
    }
  }
}

TEST_CASE("a core that does not count cycles passes too, and its parts need no reader") {
  const Program program = program_of(planted_halt);
  const CheckerHandle checker = create(options_of(program));
  const std::unique_ptr<Machine> machine = machine_with(program, std::nullopt, false);
  const Launch launch = make_launch(program.image, {}, 1U << 20U, 1);
  Teller teller(checker.get(), machine->parameters());
  power_up_and_start(*machine, launch);
  while (machine->cycle(&teller)) {
  }
  tell_words(checker.get(), TANDEM_PART_SREG,
             state_words(CorePart::sreg, machine->state(), machine->parameters()));
  CHECK(tandem_checker_finish(checker.get()) == TANDEM_OK);
  INFO(tandem_checker_report(checker.get()));
  CHECK(tandem_checker_verdict(checker.get()) == TANDEM_VERDICT_HALTED);
  const std::vector<std::string> list = left_out(checker.get());
  REQUIRE(list.size() == core_part_count);  // all but one, and the bytes of copies
  CHECK(list.front() == "the bytes of 3 of 3 copies");
  CHECK(list[1] == "predicates at the end");
}

TEST_CASE("a core knows from the checker how it has to begin") {
  const Program program = program_of(planted_halt);
  const CheckerHandle checker = create(options_of(program));
  CHECK(tandem_checker_lanes(checker.get()) == 8);
  tandem_start start{};
  REQUIRE(tandem_checker_start(checker.get(), &start) == TANDEM_OK);
  CHECK(start.text_bundles == program.image.text.size());
  CHECK(tandem_checker_entry(checker.get()) == program.image.entry_pc);
  std::vector<std::uint32_t> bundle(16);
  REQUIRE(tandem_checker_initial(checker.get(), TANDEM_PART_HBM, start.text_address / 4, 16,
                                 bundle.data()) == TANDEM_OK);
  CHECK(std::equal(bundle.begin(), bundle.end(), program.image.text[0].begin()));
  for (std::uint32_t part = 0; part < TANDEM_PART_HBM; ++part) {
    const auto which = static_cast<tandem_part>(part);
    const std::size_t count = tandem_checker_part_words(checker.get(), which);
    CHECK(count == part_words(static_cast<CorePart>(part), *program.image.preset));
    std::vector<std::uint32_t> words(count + 1);
    CHECK(tandem_checker_initial(checker.get(), which, 0, count, words.data()) == TANDEM_OK);
    CHECK(tandem_checker_initial(checker.get(), which, 0, count + 1, words.data()) ==
          TANDEM_BAD_ARGUMENT);
  }
}

namespace {

// Runs a core whose never-written state is that of another seed; `holds`: and says so first.
tandem_verdict verdict_of_other_seed(bool holds) {
  const Program program = program_of(planted_halt);
  const CheckerHandle checker = create(options_of(program));
  const std::unique_ptr<Machine> machine = machine_with(program, std::nullopt, false);
  Launch launch = make_launch(program.image, {}, 1U << 20U, 1);
  launch.seed = 7;
  const auto other = make_replay_machine(*program.image.preset, 5);
  power_up_and_start(*other, launch);
  for (const tandem_part part : {TANDEM_PART_VREG, TANDEM_PART_ACC, TANDEM_PART_WEIGHTS_ACTIVE,
                                 TANDEM_PART_WEIGHTS_FILLING, TANDEM_PART_VMEM}) {
    const std::vector<std::uint32_t> words =
        state_words(static_cast<CorePart>(part), other->state(), other->parameters());
    if (!holds) continue;
    CHECK(tandem_checker_holds(checker.get(), part, words.size(), words.data()) == TANDEM_OK);
  }
  run(checker.get(), *machine, launch);
  INFO(tandem_checker_report(checker.get()));
  return tandem_checker_verdict(checker.get());
}

}  // namespace

TEST_CASE("what a core holds before anything was written may be its own affair") {
  CHECK(verdict_of_other_seed(false) == TANDEM_VERDICT_MISMATCH);
  CHECK(verdict_of_other_seed(true) == TANDEM_VERDICT_HALTED);
}

TEST_CASE("what a core holds comes before its events, whole, and of what a start leaves alone") {
  const Program program = program_of(planted_halt);
  tandem_checker_options options = options_of(program);
  const CheckerHandle checker = create(options);
  const std::vector<std::uint32_t> words(
      tandem_checker_part_words(checker.get(), TANDEM_PART_VREG));
  const auto holds = [&](tandem_checker* whose, tandem_part part, std::size_t count) {
    return tandem_checker_holds(whose, part, count, words.data());
  };
  CHECK(holds(checker.get(), TANDEM_PART_VREG, words.size()) == TANDEM_OK);
  CHECK(holds(checker.get(), TANDEM_PART_VREG, words.size() - 1) == TANDEM_BAD_EVENT);
  CHECK(holds(checker.get(), TANDEM_PART_SREG, 32) == TANDEM_BAD_EVENT);
  CHECK(holds(checker.get(), TANDEM_PART_HBM, 32) == TANDEM_BAD_EVENT);
  CHECK(tandem_checker_cycle(checker.get(), 0) == TANDEM_OK);
  CHECK(holds(checker.get(), TANDEM_PART_VREG, words.size()) == TANDEM_BAD_EVENT);
  options.times = 1;
  const CheckerHandle timed = create(options);
  CHECK(holds(timed.get(), TANDEM_PART_VREG, words.size()) == TANDEM_BAD_EVENT);
  CHECK(std::string(tandem_checker_error(timed.get())).find("times") != std::string::npos);
}

TEST_CASE("a checker is not made of options that make no sense") {
  const Program program = program_of(planted_halt);
  const auto refused = [&](auto change, tandem_result wanted, const std::string& text) {
    tandem_checker_options options = options_of(program);
    change(options);
    tandem_checker* checker = nullptr;
    char message[256] = "";
    CHECK(tandem_checker_create(&options, &checker, message, sizeof message) == wanted);
    CHECK(checker == nullptr);
    CAPTURE(std::string(message));
    CHECK(std::string(message).find(text) != std::string::npos);
  };
  using Options = tandem_checker_options;
  refused([](Options& o) { o.version = 2; }, TANDEM_BAD_ARGUMENT, "version 2");
  refused([](Options& o) { o.level = 3; }, TANDEM_BAD_ARGUMENT, "no level");
  refused([](Options& o) { o.elf = nullptr; }, TANDEM_BAD_ARGUMENT, "no program");
  refused([](Options& o) { o.tensor_count = 1; }, TANDEM_BAD_ARGUMENT, "tensors is NULL");
  refused([](Options& o) { o.elf_bytes = 100; }, TANDEM_BAD_PROGRAM, "");
  refused(
      [](Options& o) {
        o.elf = "text";
        o.elf_bytes = 4;
      },
      TANDEM_BAD_PROGRAM, "");
  refused([](Options& o) { o.machine = "huge"; }, TANDEM_BAD_ARGUMENT, "huge");
  refused([](Options& o) { o.machine = "small"; }, TANDEM_BAD_PROGRAM, "small");
  refused([](Options& o) { o.hbm_bytes = 4096; }, TANDEM_BAD_PROGRAM, "");
  static const tandem_tensor unknown{"nobody", nullptr, 0, "", 0};
  refused(
      [](Options& o) {
        o.tensors = &unknown;
        o.tensor_count = 1;
      },
      TANDEM_BAD_PROGRAM, "nobody");
  char message[8] = "";
  CHECK(tandem_checker_create(nullptr, nullptr, message, sizeof message) == TANDEM_BAD_ARGUMENT);
  CHECK(std::string(message) == "options");
}

TEST_CASE("events that make no sense are errors with a message, and change nothing") {
  const Program program = program_of(planted_halt);
  const CheckerHandle held = create(options_of(program));
  tandem_checker* const checker = held.get();
  const std::uint32_t words[512]{};
  const auto error = [&](tandem_result result, tandem_result wanted, const std::string& text) {
    CHECK(result == wanted);
    INFO(tandem_checker_error(checker));
    CHECK(std::string(tandem_checker_error(checker)).find(text) != std::string::npos);
  };
  const auto write = [&](auto change) {
    tandem_write event{0, 0, 1, 3, 0, {}, 0, 1, words};
    change(event);
    return tandem_checker_write(checker, &event);
  };
  const auto issue = [&](auto change) {
    tandem_issue event{};
    change(event);
    return tandem_checker_issue(checker, &event);
  };
  error(tandem_checker_issue(checker, nullptr), TANDEM_BAD_ARGUMENT, "event is NULL");
  error(issue([](tandem_issue& e) { e.enabled = 512; }), TANDEM_BAD_EVENT, "9 slots");
  error(issue([](tandem_issue& e) { e.trap_cause = 9; }), TANDEM_BAD_EVENT, "no cause");
  error(issue([](tandem_issue& e) { e.trap_slot = 300; }), TANDEM_BAD_EVENT, "too large");
  error(issue([](tandem_issue& e) { e.halted = 2; }), TANDEM_BAD_EVENT, "0 or 1");
  error(write([](tandem_write& e) { e.slot = 9; }), TANDEM_BAD_EVENT, "slot of a write 9");
  error(write([](tandem_write& e) { e.space = 0; }), TANDEM_BAD_EVENT, "no space");
  error(write([](tandem_write& e) { e.space = 10; }), TANDEM_BAD_EVENT, "no space");
  error(write([](tandem_write& e) { e.index = 32; }), TANDEM_BAD_EVENT, "index 32");
  error(write([](tandem_write& e) { e.row = 8; }), TANDEM_BAD_EVENT, "row 8");
  error(write([](tandem_write& e) { e.word_count = 2; }), TANDEM_BAD_EVENT, "2 words");
  error(write([](tandem_write& e) { e.words = nullptr; }), TANDEM_BAD_ARGUMENT, "words is NULL");
  error(tandem_checker_copy_done(checker, 0, nullptr, 4), TANDEM_BAD_ARGUMENT, "words is NULL");
  error(tandem_checker_tell(checker, TANDEM_PART_SREG, 1, 31, words), TANDEM_BAD_EVENT, "31 words");
  error(tandem_checker_tell(checker, TANDEM_PART_HBM, 1U << 18U, 1, words), TANDEM_BAD_EVENT,
        "HBM");
  error(tandem_checker_tell(checker, static_cast<tandem_part>(13), 0, 1, words),
        TANDEM_BAD_ARGUMENT, "no part");
  error(tandem_checker_set_reader(checker, nullptr, nullptr), TANDEM_BAD_ARGUMENT, "reader");
  error(tandem_checker_cycle(checker, std::uint64_t{1} << 40U), TANDEM_BAD_EVENT,
        "nothing for 1099511627776 cycles");
  CHECK(tandem_checker_cycle(checker, 9) == TANDEM_OK);
  error(tandem_checker_cycle(checker, 8), TANDEM_BAD_EVENT, "cycle 8 follows cycle 9");
  tandem_timing timing{};
  timing.kind = 8;
  error(tandem_checker_timing(checker, &timing), TANDEM_BAD_EVENT, "no kind");
  timing.kind = TANDEM_TIMING_MARKER;
  error(tandem_checker_timing(checker, &timing), TANDEM_BAD_ARGUMENT, "counters is NULL");
  CHECK(tandem_checker_verdict(checker) == TANDEM_VERDICT_NONE);
  CHECK(tandem_checker_finish(checker) == TANDEM_OK);
  CHECK(tandem_checker_field(checker) == std::string("end.nothing"));
  error(tandem_checker_finish(checker), TANDEM_FINISHED, "finished");
  error(issue([](tandem_issue&) {}), TANDEM_FINISHED, "finished");
}

namespace {

// A reader that calls the checker that has called it.
struct Returning {
  tandem_checker* checker = nullptr;
  int calls = 0;
};

int call_back(void* user, tandem_part part, std::uint64_t /*first*/, std::size_t count,
              std::uint32_t* words) {
  Returning& self = *static_cast<Returning*>(user);
  tandem_checker* const checker = self.checker;
  ++self.calls;
  CHECK(tandem_checker_finish(checker) == TANDEM_BAD_ARGUMENT);
  CHECK(tandem_checker_look(checker) == TANDEM_BAD_ARGUMENT);
  CHECK(tandem_checker_tell(checker, part, 0, count, words) == TANDEM_BAD_ARGUMENT);
  CHECK(tandem_checker_report(checker) == std::string());
  CHECK(tandem_checker_report_json(checker) == std::string());
  CHECK(tandem_checker_field(checker) == std::string());
  CHECK(tandem_checker_not_compared(checker, 0) == nullptr);
  CHECK_THAT(tandem_checker_error(checker), Catch::Contains("a reader calls"));
  tandem_checker_destroy(checker);
  return 1;
}

}  // namespace

TEST_CASE("a reader that calls the checker again is refused, and the check goes on") {
  const Program program = program_of("  halt\n");
  const CheckerHandle checker = create(options_of(program));
  Returning returning{checker.get()};
  REQUIRE(tandem_checker_set_reader(checker.get(), call_back, &returning) == TANDEM_OK);
  CHECK(tandem_checker_finish(checker.get()) == TANDEM_OK);
  CHECK(returning.calls > 5);
  CHECK(tandem_checker_field(checker.get()) == std::string("end.nothing"));
}

TEST_CASE("bundles out of order, copies of nobody and copies with too few words are differences") {
  const Program program = program_of(planted_halt);
  const CheckerHandle gap = create(options_of(program));
  tandem_issue event{};
  std::copy(program.image.text[0].begin(), program.image.text[0].end(), event.bundle);
  event.sequence = 5;
  event.next_pc = 1;
  event.enabled = 3;
  CHECK(tandem_checker_issue(gap.get(), &event) == TANDEM_OK);
  CHECK(tandem_checker_look(gap.get()) == TANDEM_OVER);
  CHECK(tandem_checker_field(gap.get()) == std::string("issue.sequence"));

  const CheckerHandle nobody = create(options_of(program));
  CHECK(tandem_checker_copy_done(nobody.get(), 3, nullptr, 0) == TANDEM_OK);
  CHECK(tandem_checker_look(nobody.get()) == TANDEM_OVER);
  CHECK(tandem_checker_field(nobody.get()) == std::string("copy_done.extra"));
}

TEST_CASE("calls without a checker are refused") {
  CHECK(tandem_checker_issue(nullptr, nullptr) == TANDEM_BAD_ARGUMENT);
  CHECK(tandem_checker_finish(nullptr) == TANDEM_BAD_ARGUMENT);
  CHECK(tandem_checker_verdict(nullptr) == TANDEM_VERDICT_NONE);
  CHECK(std::string(tandem_checker_report(nullptr)).empty());
  CHECK(tandem_checker_not_compared(nullptr, 0) == nullptr);
  CHECK(tandem_checker_version() == TANDEM_CHECKER_VERSION);
  tandem_checker_destroy(nullptr);
}
