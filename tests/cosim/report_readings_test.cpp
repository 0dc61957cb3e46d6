// Mismatch reports about NaNs and about the sources of operands.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cosim/faults/fault.hpp"
#include "cosim/lockstep/runners.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/copying.hpp"
#include "tests/cosim/text_program.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

struct Report {
  std::string text;
  nlohmann::json json;
};

Report report_of(const std::string& program, const std::string& fault) {
  const Image image = nano_image("r.s", program);
  const Launch launch = make_launch(image, {}, 1U << 20U, 1);
  LockstepOptions options;
  options.detect_uninitialised = false;
  auto machine =
      make_faulty_machine(make_cycle_machine(*image.preset, {}), parse_fault(fault), nullptr);
  const auto runner = make_lockstep_runner(launch, std::move(machine), options);
  REQUIRE(runner->advance(100'000) == Outcome::mismatch);
  return {runner->explanation(), nlohmann::json::parse(runner->explanation_json())};
}

bool contains(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

constexpr const char* chain = R"(
        { s1 = mov 3 }
        { s2 = add s1, 4 ; sb: s3 = mov 1 }
        { sb: sst [9], s2 }
        { p2 = lt.s32 s2, s3 }
        { sb: s4 = sld [9] }
        { s5 = mul s4, s3 }
        { halt }
)";

}  // namespace

TEST_CASE("a predicate is true or false, and no number") {
  const Report report = report_of(chain, "write.data:lt.s32");
  CHECK(contains(report.text, "p2\n    expected false\n    got      true\n"));
  CHECK(!contains(report.text, "ulp"));
  CHECK(report.json["elements"][0]["expected_text"] == "false");
}

TEST_CASE("causes, slots and places of the program have names") {
  CHECK(contains(report_of(chain, "issue.trap_cause@2").text,
                 "trap cause\n    expected none (0)\n    got      deadlock (6)\n"));
  CHECK(contains(report_of(chain, "issue.next_pc@1").text,
                 "next pc\n    expected pc 2  r.s:5  { sb: sst [9], s2 }"));
  CHECK(contains(report_of(chain, "issue.next_pc@1").text, "got      pc 6"));
  CHECK(contains(report_of(chain, "issue.enabled@1").text,
                 "enabled slots\n    expected 0x3: sa sb\n    got      0x103: sa sb dma"));
  CHECK(contains(report_of(chain, "end.status").text,
                 "register status\n    expected 0x2: halted\n    got      0x6: halted trapped"));
  CHECK(contains(report_of("        { trap 7 }\n        { halt }\n", "end.trap_cause").text,
                 "register trap_cause\n    expected 0x7: explicit_trap (7) in slot sa\n"));
  CHECK(contains(report_of(chain, "final.preg").text, "p0 .. p7\n    expected 0x1: p0\n"));
}

TEST_CASE("an address of a copy is an address, beyond 32 bits too") {
  const Report report = report_of(copying_program(), "copy.destination");
  CHECK(contains(report.text, "destination\n    expected VMEM row 0 lane 0"));
  CHECK(contains(report.text, "got      VMEM row 34359738368 lane 0"));
}

TEST_CASE("no report calls a place nothing") {
  for (const CompareFieldRow& row : compare_fields()) {
    const std::string name(row.text);
    // Differences in time have a report of their own; end.nothing is about nothing.
    if (name.starts_with("timing") || name == "write.lanes" || name == "end.nothing") continue;
    const bool trap = name.starts_with("end.trap");
    const Report report =
        report_of(trap ? "        { trap 7 }\n        { halt }\n" : copying_program(), name);
    INFO(name << '\n' << report.text);
    CHECK(report.text.find("nothing") == std::string::npos);
    CHECK(report.json["signature"].get<std::string>().starts_with("mismatch " + name));
  }
}

TEST_CASE("operands are followed to what produced them, and that to what produced it") {
  const Report report = report_of(chain, "write.data:mul");
  CHECK(contains(report.text, "a = s4                   bundle 4 (pc 4, r.s:7)  s4 = sld [9]\n"));
  CHECK(contains(report.text, "    word = smem[0x9]       bundle 2 (pc 2, r.s:5)  sst [9], s2\n"));
  CHECK(contains(report.text, "      b = s2               bundle 1"));
  const nlohmann::json& operands = report.json["operands"];
  CHECK(operands[0]["depth"] == 0);
  CHECK(operands[1]["depth"] == 1);
  CHECK(operands[0]["text"] == "s4 = sld [9]");
}

TEST_CASE("what differs at the end names the bundle that wrote it last") {
  const Report report = report_of(R"(
        { s17 = mov 3 }
        { s17 = add s17, 4 }
        { halt }
)",
                                  "final.sreg");
  CHECK(
      contains(report.text, "last written: s17        bundle 1 (pc 1, r.s:4)  s17 = add s17, 4\n"));
  CHECK(contains(report.text, "bundle 0 (pc 0, r.s:3)  s17 = mov 3\n"));
}

TEST_CASE("a place that a copy wrote last names the copy, not an older store") {
  const std::string program = R"(
        { s4 = mov 0x400 ; s1 = mov 1 }
        { sb: sst [0], s4 }
        { sb: sst [1], s1 ; s6 = mov 64 }
        { sb: sst [6], s6 }
        { sb: sst [7], s1 }
        { sb: sst [10], s1 ; s7 = mov 0x4E20 }
        { sb: sst [13], s1 }
        { sb: sst [4], s7 }
        { v1 = vmov s6 }
        { vst [624], v1 }
        { copy [s0], s0, s0 }
        { wait f0, 1 }
        { halt }
)";
  const Report report = report_of(program, "final.vmem");
  CHECK(contains(report.text, "last written: vmem[625]"));
  CHECK(contains(report.text, "bundle 10 (pc 10, r.s:13)  copy from HBM"));
  CHECK(report.json["operands"][0]["text"].get<std::string>().starts_with("copy from HBM"));
}

TEST_CASE(
    "a word of HBM that differs at the end names the last copy to it, or that there is none") {
  CHECK(contains(report_of(chain, "final.hbm").text, "no copy of late"));
}

TEST_CASE("a weight that differs at the end names the push or the swap that wrote it last") {
  const std::string program = R"(
        { v1 = vmov 3 ; s4 = mov 0 }
        { mx: mxpush [s4 + 0], v1.lo ; s4 = mov 64 }
        { v2 = vmov 5 }
        { mx: mxmul.bf16 a0, v2.lo, swap }
        {}
        { halt }
)";
  const Report active = report_of(program, "final.weights_active");
  CHECK(contains(active.text, "last written: weight row "));
  CHECK(contains(active.text, "bundle 1 (pc 1, r.s:4)  mxpush "));
  CHECK(contains(active.text, "bundle 0 (pc 0, r.s:3)  v1 = vmov 3\n"));
  CHECK(contains(report_of(program, "final.weights_filling").text,
                 "bundle 3 (pc 3, r.s:6)  mxmul.bf16 a0, v2.lo, swap\n"));
  const std::string transposed = R"(
        { v1 = vmov 3 }
        { mx: mxpush 0, v1.lo }
        { mx: mxpusht 0, v1.lo }
        { halt }
)";
  CHECK(contains(report_of(transposed, "final.weights_filling").text,
                 "bundle 2 (pc 2, r.s:5)  mxpusht 0, v1.lo\n"));
  CHECK(
      contains(report_of(transposed, "final.weights_active").text, "not written since the start"));
}

TEST_CASE("an operation with a large constant where others have registers is traced") {
  const Report report =
      report_of("        { ssti [5], 0x7fffffff }\n        { halt }\n", "write.data:ssti");
  CHECK(contains(report.text, "smem[0x5]"));
}
