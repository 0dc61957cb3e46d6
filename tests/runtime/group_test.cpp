// Chips of a group on the golden model: values, ends, and races in every order of execution.
#include "runtime/group/group.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <map>
#include <numeric>
#include <random>
#include <set>

#include "isa/group/golden_group.hpp"
#include "tests/runtime/group_support.hpp"

namespace tandem::test {
namespace {

using namespace runtime;

constexpr std::uint32_t chips = group_chips;

// How it ends when the chips run in this order, in pieces of a few bundles.
GroupStatus run_in_order(Chips& group, std::uint32_t seed) {
  std::vector<std::unique_ptr<Run>> runs;
  std::vector<GoldenModel*> models;
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    runs.push_back(group.devices[chip]->start(group.programs[chip], {}, {}, {chip, chips}));
    models.push_back(group.devices[chip]->golden_model());
  }
  GoldenGroup golden(models);
  std::mt19937 random(seed);
  constexpr std::uint32_t pieces[] = {1, 1, 3, 20, 1000};
  while (golden.status() == GroupStatus::running) {
    golden.advance(random() % chips, pieces[random() % std::size(pieces)]);
  }
  return golden.status();
}

std::set<GroupStatus> in_orders(const std::string& text, std::uint32_t orders) {
  Chips group(text);
  std::set<GroupStatus> found;
  for (std::uint32_t seed = 0; seed < orders; ++seed) found.insert(run_in_order(group, seed));
  return found;
}

const std::set<GroupStatus> always_halts{GroupStatus::halted};
const std::set<GroupStatus> always_reported{GroupStatus::ended};

}  // namespace

TEST_CASE("a ring without credits is a race in every order, with credits in none") {
  CHECK(in_orders(row_ring(3, 3, false), 40) == always_halts);
  CHECK(in_orders(row_ring(8, 2, true), 40) == always_halts);
  CHECK(in_orders(row_ring(8, 3, true), 40) == always_halts);
  CHECK(in_orders(row_ring(8, 3, false), 40) == always_reported);
  CHECK(in_orders(row_ring(8, 2, false), 40) == always_reported);
}

TEST_CASE("what chips do to one place in no order is a race in every order") {
  // All send to chip 0's row 8 on flags of their own, and it waits for one of them.
  const std::string two_writers = group_prologue() + R"(
        vst [0], v1, rows=1
        remote s0, 0, 8, 1, 2
        halt
)";
  CHECK(in_orders(two_writers, 20) == always_reported);
  // Chip 0 uses the row that chip 1 writes, without a wait.
  const std::string no_wait = group_prologue() + R"(
        vst [0], v1, rows=1
        p1 = eq s1, 1
        @!p1 br rest
        remote s0, 0, 8, 1, 2
        halt
rest:   vst [8], v1, rows=1
        halt
)";
  CHECK(in_orders(no_wait, 20) == always_reported);
  // The sender may not write the row again before the flag here says so.
  const std::string source = group_prologue() + R"(
        vst [0], v1, rows=1
        remote s3, 0, 8, 1, 2
        vst [0], v1, rows=1
        halt
)";
  CHECK(in_orders(source, 20) == always_reported);
}

TEST_CASE("random messages end alike in every order") {
  std::mt19937 random(7);
  std::map<GroupStatus, int> ends;
  for (int program = 0; program < 120; ++program) {
    const std::string text = random_messages(random);
    const std::set<GroupStatus> found = in_orders(text, 12);
    INFO("program " << program << "\n" << text);
    REQUIRE(found.size() == 1);
    ++ends[*found.begin()];
  }
  CHECK(ends[GroupStatus::halted] > 10);
  CHECK(ends[GroupStatus::ended] > 10);
}

TEST_CASE("a wait that one chip or another may end is a race in every order") {
  const auto barrier = [](std::string_view wait) {
    return group_prologue() + fmt::format(R"(
        p1 = eq s1, 0
        @p1 br wait
        remote s0, 0, 0, 1, 2, 0
        halt
wait:   {{ dma: wait f1, {} }}
        halt
)",
                                          wait);
  };
  CHECK(in_orders(barrier("3"), 20) == always_halts);
  CHECK(in_orders(barrier("1"), 20) == always_reported);
  CHECK(in_orders(barrier("2"), 20) == always_reported);
  // Two barriers on one flag: a fast chip's second signal counts for the first.
  const std::string two = group_prologue() + R"(
        .rept 2, round
        remote s3, 0, 0, 1, 2, 0
        remote s4, 0, 0, 1, 2, 0
        { dma: wait f1, 2 * \round + 2 }
        .endr
        halt
)";
  CHECK(in_orders(two, 20) == always_reported);
  // A flag that is set without order with the adds of others.
  const std::string set = group_prologue() + R"(
        { dma: fset f1, 0 }
        remote s3, 0, 0, 1, 2, 0
        { dma: wait f1, 1 }
        halt
)";
  CHECK(in_orders(set, 20) == always_reported);
}

TEST_CASE("chips that wait for each other are deadlocked in every order, and told") {
  const std::string text = lost_signal();
  CHECK(in_orders(text, 20) == std::set{GroupStatus::deadlocked});
  const GroupResult result = Chips(text).launch();
  CHECK(result.outcome == Outcome::deadlock);
  INFO(result.report);
  for (const char* part :
       {"deadlock: no chip of the group can go on", "chip 0 waits at PC",
        "f1 holds 1, the wait wants 2; chip 3 has added 1", "chip 2 has halted after",
        "chip 3 waits at PC", "f1 holds 1, the wait wants 2; chip 2 has added 1"}) {
    CHECK(result.report.find(part) != std::string::npos);
  }
}

TEST_CASE("a trap of one chip ends the others and is told with its chip") {
  const GroupResult result = Chips(group_prologue() + R"(
        p1 = eq s1, 2
here:   @p1 trap 77
        { dma: wait f1, 1 }
        halt
)")
                                 .launch();
  CHECK(result.outcome == Outcome::trapped);
  CHECK(result.chip == 2);
  INFO(result.report);
  CHECK(result.report.starts_with("chip 2: trap at PC"));
  CHECK(result.report.find("chip 0 waits at PC") != std::string::npos);
}

TEST_CASE("a race between chips is told with both chips") {
  const GroupResult result = Chips(row_ring(8, 2, false)).launch();
  CHECK(result.outcome == Outcome::race);
  INFO(result.report);
  REQUIRE(result.chip);
  CHECK(result.report.starts_with(fmt::format("chip {}: race at PC", *result.chip)));
  CHECK(result.report.find("of chip") != std::string::npos);
}

TEST_CASE("never-written words are so on the chip that they are sent to") {
  const GroupResult result = Chips(group_prologue() + R"(
        remote s3, 40, 8, 1, 2
        { dma: wait f1, 1 }
        v2 = vld [8], rows=1
        v3 = vadd.s32 v2, v2
        halt
)")
                                 .launch();
  CHECK(result.outcome == Outcome::uninitialised);
}

TEST_CASE("a copy to the own number, a chip too many, and a wait after the last chip has ended") {
  CHECK(in_orders(group_prologue() + R"(
        vst [0], v1, rows=1
        remote s1, 0, 8, 1, 2
        { dma: wait f1, 1 }
        v2 = vld [8], rows=1
        { dma: wait f2, 1 }
        vst [0], v1, rows=1
        halt
)",
                  10) == always_halts);
  const GroupResult result = Chips(group_prologue() + R"(
        s5 = mov 4
        remote s5, 0, 8, 1, 2
        halt
)")
                                 .launch();
  CHECK(result.outcome == Outcome::trapped);
  CHECK(result.chips[0].trap == Trap{TrapCause::bad_descriptor, Slot::dma, 0});
}

TEST_CASE("results of a group lie alike, wherever arguments lie") {
  Chips group(group_prologue() + "        halt\n");
  // Every device has another gap.
  std::vector<TensorHandle> held;
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    held.push_back(group.devices[chip]->allocate(ElementType::f32, {1000 * (1 + chip)}));
  }
  runtime::Group of(group.pointers());
  const std::vector<TensorHandle> first = of.allocate(ElementType::f32, {8});
  const std::vector<TensorHandle> second = of.allocate(ElementType::f32, {8});
  CHECK(runtime::Group::lie_alike(first));
  CHECK(runtime::Group::lie_alike(second));
  CHECK_FALSE(runtime::Group::lie_alike(held));
  CHECK(first[0]->placed().address != second[0]->placed().address);
  for (const TensorHandle& tensor : held) {
    CHECK(tensor->placed().address != first[0]->placed().address);
  }
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  group.devices[2]->write(*first[2], bytes_of(values));
  const std::vector<TensorHandle> copies = of.clone(first);
  CHECK(runtime::Group::lie_alike(copies));
  CHECK(contents<float>(*group.devices[2], *copies[2], 8) == values);
}

TEST_CASE("a group is of 2 to 64 machines of one kind and model, and stops at its limit") {
  Device one(nano_chip(Model::golden));
  CHECK_THROWS_AS(runtime::Group(std::vector{&one}), Error);
  Device timed(nano_chip(Model::cycle));
  CHECK_THROWS_AS(runtime::Group(std::vector{&one, &timed}), Error);
  DeviceOptions small = nano_chip(Model::golden);
  small.preset = "small";
  Device other(small);
  CHECK_THROWS_AS(runtime::Group(std::vector{&one, &other}), Error);
  runtime::LaunchOptions options;
  options.limit = 100;
  const GroupResult result = Chips(group_prologue() + "for_ever: br for_ever\n").launch(options);
  CHECK(result.outcome == Outcome::running);
  CHECK(result.chips[0].bundles == 100);
}

TEST_CASE("a machine that was in a group runs alone as before") {
  Chips group(row_ring(3, 3, false));
  CHECK(group.launch().outcome == Outcome::halted);
  const ProgramHandle alone = group.devices[0]->load(assembled(R"(
        s1 = csr chips
        { dma: wait f1, 1 }
        halt
)"));
  const LaunchResult result = group.devices[0]->launch(*alone, {});
  CHECK(result.outcome == Outcome::trapped);
  CHECK(result.trap.cause == TrapCause::deadlock);
}

}  // namespace tandem::test
