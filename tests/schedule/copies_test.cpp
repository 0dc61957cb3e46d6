// Loops with copies and waits in them: which are pipelines and which may not be, and that all of
// them leave the same state.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <random>

#include "assembler/assembler.hpp"
#include "cosim/lockstep/runners.hpp"
#include "isa/golden/golden_model.hpp"
#include "schedule/proof/validate.hpp"
#include "tests/cosim/presets.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

struct Ring {
  unsigned blocks = 24;
  unsigned lead = 2;      // blocks that are loaded ahead
  unsigned behind = 2;    // blocks that are stored late
  unsigned apart = 2;     // promised
  unsigned work = 3;      // exp2 one after the other
  bool for_loop = false;  // the promise names the loop
};

// Blocks of 8 rows go from row 0 on through two rings of 8 slots to row 512 on, each by a copy.
std::string text_of(const Ring& ring) {
  std::string text = R"(
        .include "common.inc"
        s2 = mov 2048
        s3 = mov 1024
        .linear
)";
  text += fmt::format("        .equ blocks, {}\n        .equ lead, {}\n        .equ behind, {}\n",
                      ring.blocks, ring.lead, ring.behind);
  text += R"(
        %frame = sub s2, 64
        %lane = vlane
        %lane = vcvt.f32.s32 %lane
        %small = vmul.f32 %lane, 0.01
        %at = mov 0
fill:   vst [%at], %small
        %small = vadd.f32 %small, 0.125
        %at = add %at, 8
        %fills = lt.u32 %at, 8 * blocks
        @%fills br fill
        describe 0, vmem, vmem, 24
        ssti [%frame + copy_source], 0
        describe_rows 0, copy_target
        ssti [%frame + copy_source + 1], 0
        ssti [%frame + copy_target + 1], 0
        ssti [%frame + copy_length], 8 * ROW_BYTES
        describe 16, vmem, vmem, 25
        describe_rows 16, copy_source, 64
        ssti [%frame + 16 + copy_target], 512 * ROW_BYTES
        ssti [%frame + 16 + copy_source + 1], 0
        ssti [%frame + 16 + copy_target + 1], 0
        ssti [%frame + 16 + copy_length], 8 * ROW_BYTES
        %words = mov 0
begin:  copy [%frame], %words, %words
        %words = add %words, 8 * LANES
        %begins = lt.u32 %words, lead * 8 * LANES
        @%begins br begin
        .endlinear

        .linear work
        %frame = sub s2, 64
        %i = mov 0
        %needed = mov 1
        %freed = mov -7
        %from = mov lead * 8 * LANES
        %to = mov -behind * 8 * LANES
        .disjoint %in, %out
)";
  if (ring.apart != 0) {
    text += fmt::format("        .copies_apart {}{}\n", ring.apart, ring.for_loop ? ", round" : "");
  }
  text += R"(
round:  wait f24, %needed
        %ahead = add %i, lead
        %loads = lt.u32 %ahead, blocks
        %slot_l = and %ahead, 7
        %to_l = mul %slot_l, 8 * LANES
        @%loads copy [%frame], %from, %to_l
        %stores = ge.u32 %i, behind
        %before = sub %i, behind
        %slot_s = and %before, 7
        %from_s = mul %slot_s, 8 * LANES
        @%stores copy [%frame + 16], %from_s, %to
        wait f25, %freed
        %slot = and %i, 7
        %row = shl %slot, 3
        %in = add %row, s3
        %out = add %in, 64
        %x0 = vld [%in]
)";
  for (unsigned i = 0; i < ring.work; ++i) {
    text += fmt::format("        %x{} = exp2 %x{}\n", i + 1, i);
  }
  text += fmt::format("        vst [%out], %x{}\n", ring.work);
  text += R"(
        %i = add %i, 1
        %needed = add %needed, 1
        %freed = add %freed, 1
        %from = add %from, 8 * LANES
        %to = add %to, 8 * LANES
        %again = lt.u32 %i, blocks
        @%again br round
        %j = mov blocks - behind
        %to = mov (blocks - behind) * 8 * LANES
end:    %slot_e = and %j, 7
        %from_e = mul %slot_e, 8 * LANES
        copy [%frame + 16], %from_e, %to
        %to = add %to, 8 * LANES
        %j = add %j, 1
        %ends = lt.u32 %j, blocks
        @%ends br end
        wait f25, blocks
        halt
        .endlinear
)";
  return text;
}

struct Made {
  Image image;
  Launch launch;
  LinearBlock block;
  Result result;
  std::vector<LoopReport> loops;
};

std::unique_ptr<Made> made(const Ring& ring, Level level) {
  auto result = std::make_unique<Made>();
  AssembleOptions options;
  options.preset = "small";
  options.schedule = level;
  options.prove = true;
  options.on_block = [&](const SourceSpan&, const LinearBlock& block, const Result& made) {
    if (block.name != "work") return;
    result->block = block;
    result->result = made;
  };
  options.on_report = [&](const BlockReport& report) {
    if (report.name != "work") return;
    for (const PlacedLoop& loop : report.loops) result->loops.push_back(loop.loop);
  };
  const SourceText source{"kernels/ring.s", text_of(ring)};
  const LinkResult linked = build({&source, 1}, options);
  INFO(text_of(ring));
  REQUIRE(diagnostics_text(linked.diagnostics) == "");
  result->image = make_image(linked.program);
  result->launch = make_launch(result->image, {}, 1U << 24U, 1);
  return result;
}

void check_same(const Ring& ring) {
  const auto written = made(ring, Level::none);
  const auto scheduled = made(ring, Level::full);
  GoldenModel wanted(written->launch);
  GoldenModel got(scheduled->launch);
  wanted.run(1'000'000);
  got.run(1'000'000);
  INFO(text_of(ring));
  REQUIRE(wanted.status() == RunStatus::halted);
  REQUIRE(got.status() == RunStatus::halted);
  REQUIRE(wanted.state().vmem == got.state().vmem);
}

}  // namespace

TEST_CASE("a ring of buffers is a pipeline as far as its promise reaches") {
  Ring ring;
  const auto far = made(ring, Level::full);
  REQUIRE(far->loops.size() == 2);
  CHECK(far->loops[0].pipelined);
  CHECK(far->loops[0].interval >= 12);  // three operations of the EUP
  CHECK(far->loops[0].interval <= 16);
  CHECK(far->loops[0].stages >= 2);
  ring.apart = 0;
  const auto near = made(ring, Level::full);
  CHECK(near->loops[0].bounds.by_recurrence());
  CHECK((!near->loops[0].pipelined || near->loops[0].interval > 16));
}

TEST_CASE("rings of many shapes leave the same state scheduled and as written") {
  std::mt19937 random(1);
  for (int i = 0; i < 30; ++i) {
    Ring ring;
    ring.lead = 1 + random() % 4;
    ring.behind = 1 + random() % 3;
    ring.apart = random() % (std::min(8 - ring.lead, ring.behind) + 1);
    ring.work = 1 + random() % 5;
    ring.blocks = 4 + random() % 30;
    check_same(ring);
  }
}

TEST_CASE("a scheduled ring runs in lockstep of three models") {
  const auto scheduled = made({}, Level::full);
  RunnerOptions options;
  options.models = {is_built("small"), true};
  const auto runner = make_runner("lockstep", scheduled->launch, options);
  const Outcome outcome = runner->advance(1'000'000);
  INFO(runner->explanation());
  CHECK(outcome == Outcome::halted);
}

TEST_CASE("the proof takes no promise that the block does not have") {
  const auto scheduled = made({}, Level::full);
  REQUIRE(validate(scheduled->block, scheduled->result).empty());
  LinearBlock block = scheduled->block;
  block.copies_apart = 1;
  CHECK_THAT(validate(block, scheduled->result), Catch::Contains("copy"));
}

TEST_CASE("a promise about copies may be about one loop") {
  Ring ring;
  ring.for_loop = true;
  const auto scheduled = made(ring, Level::full);
  const auto all = made({}, Level::full);
  CHECK(scheduled->result.bundles == all->result.bundles);
  REQUIRE(validate(scheduled->block, scheduled->result).empty());
  LinearBlock block = scheduled->block;
  REQUIRE(block.hints.size() == 1);
  block.hints.front().copies_apart = 0;
  CHECK_THAT(validate(block, scheduled->result), Catch::Contains("copy"));
}

TEST_CASE("a promise that is broken is a race on the machine") {
  Ring ring;
  ring.apart = 4;
  ring.behind = 1;
  const auto scheduled = made(ring, Level::full);
  GoldenModel model(scheduled->launch);
  model.run(1'000'000);
  CHECK(model.status() != RunStatus::halted);
}

}  // namespace tandem::test
