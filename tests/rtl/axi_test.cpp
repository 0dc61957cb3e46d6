// tpu_axi_top on a memory and a host with random ready signals: no protocol rule is broken and
// memory ends as golden says, for any timing. Which presets exist is the build's choice
// (TANDEM_PRESETS), so their headers may be missing.
#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/timing.hpp"
#include "tests/rtl/axi_bench.hpp"
#if __has_include("Vtpu_axi_nano.h")
#include "Vtpu_axi_nano.h"
#endif
#if __has_include("Vtpu_axi_small.h")
#include "Vtpu_axi_small.h"
#endif

namespace tandem::axi {
namespace {

constexpr std::uint64_t hbm_bytes = std::uint64_t{1} << 32U;
constexpr std::uint32_t running = 1;
constexpr std::uint32_t halted = 2;
constexpr std::uint32_t trapped = 4;
constexpr std::uint32_t machine_check = 8;
constexpr std::uint32_t start_error = 16;

// A program ready to run; stays where it is, because the launch points into it.
struct Program {
  Program(const SourceText& source, const Parameters& preset) {
    AssembleOptions options;
    options.preset = preset.name;
    LinkResult linked = build({&source, 1}, options);
    for (const Diagnostic& complaint : linked.diagnostics) UNSCOPED_INFO(complaint.message);
    REQUIRE(linked.ok());
    image = make_image(linked.program);
    launch = make_launch(image, {}, hbm_bytes, 1);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Image image;
  Launch launch;
};

SourceText file(const std::string& path) {
  std::optional<SourceText> source = read_source(path);
  REQUIRE(source.has_value());
  return *source;
}

// Runs the program under one seed and compares everything with golden.
template <typename Top>
void compare_with_golden(const Program& program, const Parameters& preset, std::uint32_t seed) {
  GoldenModel golden(program.launch);
  REQUIRE(golden.run(1'000'000) != RunStatus::running);
  Bench<Top> bench(preset, hbm_bytes, seed);
  bench.load(program.launch);
  const std::uint32_t status = bench.run();
  CHECK(status == (golden.status() == RunStatus::halted ? halted : trapped));
  CHECK(bench.memory().violations() == std::vector<std::string>{});
  CHECK(bench.violations() == std::vector<std::string>{});
  CHECK(bench.memory().idle());
  CHECK(bench.memory().contents().first_difference(golden.hbm()) == std::nullopt);
  CHECK(bench.read("bundles_lo") == golden.bundles());
}

const std::vector<std::string>& programs() {
  static const std::vector<std::string> names{
      "dma/vmem_to_hbm",    "dma/smem_to_hbm", "dma/hbm_to_hbm",       "dma/large",
      "dma/two_dimensions", "dma/queue",       "dma/three_dimensions", "dma/halt_completes",
      "dma/nothing",        "control/far",     "control/trap",         "dma/page_ends",
      "dma/many_answers"};
  return names;
}

template <typename Top>
void run_programs(std::string_view preset_name) {
  const Parameters& preset = *find_preset(preset_name);
  for (const std::string& name : programs()) {
    const Program program(file("tests/programs/" + name + ".s"), preset);
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      INFO(name << " seed " << seed);
      compare_with_golden<Top>(program, preset, seed);
    }
  }
}

constexpr const char* endless = "loop: { s4 = add s4, 1 }\n      br loop\n";

template <typename Top>
void start_stop_and_interrupt(std::string_view preset_name) {
  const Parameters& preset = *find_preset(preset_name);
  const Program program({"endless.s", endless}, preset);
  Bench<Top> bench(preset, hbm_bytes, 1);
  bench.load(program.launch);
  bench.write("control", 1);
  CHECK((bench.read("status") & running) != 0);
  bench.write("control", 1);
  CHECK(bench.read("status") == (running | start_error));
  bench.write("status", start_error);
  CHECK(bench.read("status") == running);
  bench.write("control", 2);
  bench.cycles(3000);
  CHECK(bench.read("status") == 0);  // stopped: neither halted nor trapped
  CHECK(!bench.irq());

  const Program halts({"halt.s", "halt\n"}, preset);
  bench.load(halts.launch);
  bench.write("interrupt_enable", 1);
  CHECK(bench.run() == halted);
  CHECK(bench.irq());
  bench.write("interrupt_pending", 2);  // another bit
  CHECK(bench.irq());
  bench.write("interrupt_pending", 1);
  CHECK(!bench.irq());
}

template <typename Top>
void bus_error(std::string_view preset_name) {
  const Parameters& preset = *find_preset(preset_name);
  const Program program({"endless.s", endless}, preset);
  Bench<Top> bench(preset, hbm_bytes, 1);
  bench.load(program.launch);
  bench.memory().error_from = text_base;
  bench.memory().error_to = text_base + 4096;
  bench.write("interrupt_enable", 2);
  CHECK(bench.run() == (trapped | machine_check));
  CHECK((bench.read("trap_cause") & 0xffU) == 8);
  CHECK(bench.irq());
  CHECK(bench.memory().idle());
}

// Of a write's response, and of a read's, to a copy.
template <typename Top>
void copy_error(std::string_view preset_name, const std::string& name) {
  const Parameters& preset = *find_preset(preset_name);
  const Program program(file("tests/programs/" + name + ".s"), preset);
  Bench<Top> bench(preset, hbm_bytes, 1);
  bench.load(program.launch);
  // Behind the last line of the text, which has to be fetched.
  const std::uint64_t line = timing::fetch_line_bundles * bundle_bytes;
  const std::uint64_t text = program.launch.image->text.size() * bundle_bytes;
  bench.memory().error_from = program.launch.text_address + (text + line - 1) / line * line;
  bench.memory().error_to = hbm_bytes;
  CHECK(bench.run() == (trapped | machine_check));
  CHECK((bench.read("trap_cause") & 0xffU) == 8);
  CHECK(bench.memory().idle());
}

// The list of open bursts is full, and further bursts wait.
template <typename Top>
void data_held_back(std::string_view preset_name) {
  const Parameters& preset = *find_preset(preset_name);
  const Program program(file("tests/programs/dma/many_answers.s"), preset);
  GoldenModel golden(program.launch);
  REQUIRE(golden.run(1'000'000) == RunStatus::halted);
  Bench<Top> bench(preset, hbm_bytes, 1);
  bench.memory().data_percent = 1;
  bench.load(program.launch);
  CHECK(bench.run() == halted);
  CHECK(bench.memory().most_open() == 8);
  CHECK(bench.memory().violations() == std::vector<std::string>{});
  CHECK(bench.memory().contents().first_difference(golden.hbm()) == std::nullopt);
}

// Words of SMEM go to `first`, back, and on to `second`.
std::string copies_through(std::uint64_t first, std::uint64_t second, std::uint32_t pattern) {
  std::string text = ".include \"tests/programs/common.inc\"\n";
  for (std::uint32_t word = 32; word < 48; ++word) {
    text += fmt::format("put {}, {:#x}\n", word, (word / 8) % 2 == 0 ? pattern : ~pattern);
  }
  const auto copy = [&text](const char* spaces, std::uint64_t from, std::uint64_t to) {
    text += fmt::format(
        "describe 0, {} | FLAG, 1, {:#x}, {:#x}, 64\nput 3, {:#x}\nput 5, {:#x}\n"
        "{{ dma: copy [0], s0, s0 }}\n{{ dma: wait f1, 1 }}\n{{ dma: fset f1, 0 }}\n",
        spaces, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), from >> 32U,
        to >> 32U);
  };
  copy("SMEM_TO_HBM", 128, first);
  copy("HBM_TO_SMEM", first, 256);
  copy("0", first, second);
  return text + "halt\n";
}

// Every bit of the bus is once 0 and once 1: places and words, each the other's complement.
template <typename Top>
void places_anywhere(std::string_view preset_name) {
  constexpr std::uint64_t all = ~std::uint64_t{4095};
  constexpr std::uint64_t odd = 0x5555'5555'5555'5540;
  constexpr std::uint64_t even = 0xaaaa'aaaa'aaaa'aa80;
  const Parameters& preset = *find_preset(preset_name);
  for (const auto& [text, first, second, pattern] :
       {std::tuple{odd, even, std::uint64_t{0xffff'ffff'0000'0f60}, 0x5555'5555U},
        std::tuple{even, odd, std::uint64_t{0x0000'0000'ffff'f0a0}, 0U}}) {
    Program program({"places.s", copies_through(first, second, pattern)}, preset);
    program.launch.hbm_bytes = all;
    program.launch.text_address = text / 4096 * 4096;
    for (HbmSegment& segment : program.launch.segments) {
      if (segment.address == text_base) segment.address = program.launch.text_address;
    }
    GoldenModel golden(program.launch);
    REQUIRE(golden.run(10'000) == RunStatus::halted);
    CHECK(golden.hbm().read_word(second) == pattern);
    Bench<Top> bench(preset, all, 1);
    bench.load(program.launch);
    CHECK(bench.run() == halted);
    CHECK(bench.memory().violations() == std::vector<std::string>{});
    CHECK(bench.memory().contents().first_difference(golden.hbm()) == std::nullopt);
  }
}

// A register gives back every bit that it was given.
template <typename Top>
void registers_of_any_bits(std::string_view preset_name) {
  Bench<Top> bench(*find_preset(preset_name), hbm_bytes, 1);
  for (const char* name : {"text_bundles", "entry_pc", "arg_lo", "arg_hi", "hbm_hi", "arg_words"}) {
    for (const std::uint32_t value : {0x5555'5555U, 0xaaaa'aaaaU}) {
      bench.write(name, value);
      CHECK(bench.read(name) == value);
    }
  }
  CHECK(bench.violations() == std::vector<std::string>{});
}

template <typename Top>
void crowded_registers(std::string_view preset_name) {
  Bench<Top> bench(*find_preset(preset_name), hbm_bytes, 1);
  bench.write("arg_lo", 0x12345678);
  const auto answers = bench.crowd("arg_lo", "entry_pc", 0x55aa);
  CHECK(answers.taken == 2);
  CHECK(answers.data == 0x12345678);
  CHECK(answers.response == 0);
  CHECK(bench.read("entry_pc") == 0x55aa);
  CHECK(bench.read("arg_lo") == 0x12345678);
  CHECK(bench.violations() == std::vector<std::string>{});
}

template <typename Top>
void partial_write(std::string_view preset_name) {
  Bench<Top> bench(*find_preset(preset_name), hbm_bytes, 1);
  CHECK(bench.write_strobed(register_number("entry_pc"), 0x1234, 0xf) == 0);
  for (const std::uint32_t strobes : {0x0U, 0x1U, 0x3U, 0x7U, 0xeU}) {
    CHECK(bench.write_strobed(register_number("entry_pc"), 0xffff, strobes) == 2);
  }
  CHECK(bench.read("entry_pc") == 0x1234);
  CHECK(bench.read("id") == 0x444e4154);
}

#if __has_include("Vtpu_axi_nano.h")
TEST_CASE("AXI: nano programs leave the memory that golden leaves") {
  run_programs<Vtpu_axi_nano>("nano");
}
TEST_CASE("AXI: nano starts and stops and interrupts as the registers say") {
  start_stop_and_interrupt<Vtpu_axi_nano>("nano");
}
TEST_CASE("AXI: a bus error on nano is a machine check") { bus_error<Vtpu_axi_nano>("nano"); }
TEST_CASE("AXI: an error of a copy's response on nano is a machine check") {
  copy_error<Vtpu_axi_nano>("nano", "dma/vmem_to_hbm");
  copy_error<Vtpu_axi_nano>("nano", "dma/hbm_to_smem");
}
TEST_CASE("AXI: nano holds bursts back while eight wait for data") {
  data_held_back<Vtpu_axi_nano>("nano");
}
TEST_CASE("AXI: nano reaches every address") { places_anywhere<Vtpu_axi_nano>("nano"); }
TEST_CASE("AXI: registers of nano keep every bit") { registers_of_any_bits<Vtpu_axi_nano>("nano"); }
TEST_CASE("AXI: nano takes one register access of a kind until it is answered") {
  crowded_registers<Vtpu_axi_nano>("nano");
}
TEST_CASE("AXI: nano refuses a register write of half a word") {
  partial_write<Vtpu_axi_nano>("nano");
}
#endif

#if __has_include("Vtpu_axi_small.h")
TEST_CASE("AXI: small programs leave the memory that golden leaves") {
  run_programs<Vtpu_axi_small>("small");
}
TEST_CASE("AXI: small starts and stops and interrupts as the registers say") {
  start_stop_and_interrupt<Vtpu_axi_small>("small");
}
TEST_CASE("AXI: a bus error on small is a machine check") { bus_error<Vtpu_axi_small>("small"); }
#endif

// The bench itself: it finds the faults that it claims to find.
TEST_CASE("AXI: the memory notices a broken rule") {
  const auto violations = [](const Request& first, const Request& second) {
    Memory memory(*find_preset("nano"), hbm_bytes, 3);
    Memory::Wires wires = memory.drive();
    while (wires.arready) wires = memory.drive();
    memory.observe(first, {}, {}, true, true);
    memory.drive();
    memory.observe(second, {}, {}, true, true);
    return memory.violations().size();
  };
  const Request good{true, 0x1000, 3, 5, 1};
  CHECK(violations(good, good) == 0);
  CHECK(violations(good, {true, 0x1020, 3, 5, 1}) == 1);  // changed while waiting
  CHECK(violations(good, {}) == 1);                       // taken back
  const Request crossing{true, 0x1fe0, 1, 5, 1};
  CHECK(violations(crossing, crossing) == 2);
  const Request narrow{true, 0x1000, 3, 4, 1};
  CHECK(violations(narrow, narrow) == 2);
}

TEST_CASE("AXI: the memory notices data before its request and a misplaced last") {
  Memory memory(*find_preset("nano"), hbm_bytes, 3);
  WriteBeat beat{true, true, std::vector<std::uint32_t>(8), std::vector<std::uint8_t>(32, 1)};
  memory.drive();
  memory.observe({}, {}, beat, true, true);
  CHECK(memory.violations().size() == 1);
  const Request two_beats{true, 0x1000, 1, 5, 1};
  while (!memory.drive().awready) memory.observe({}, {}, {}, true, true);
  memory.observe({}, two_beats, {}, true, true);
  while (!memory.drive().wready) memory.observe({}, {}, beat, true, true);
  memory.observe({}, {}, beat, true, true);
  CHECK(std::count(memory.violations().begin(), memory.violations().end(),
                   "WLAST in the wrong place") == 1);
}

}  // namespace
}  // namespace tandem::axi
