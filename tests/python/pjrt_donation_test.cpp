// Arrays whose memory a run takes: which caller gets them when several ask at the same time.
#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "python/pjrt/arrays/buffer.hpp"
#include "python/pjrt/core/handles.hpp"
#include "tests/python/pjrt_program.hpp"

namespace tandem::pjrt_test {
namespace {

// x + 1 of 64 whole numbers, in the memory of x.
const std::string counting_program = include_common + R"(
        .tensor arg0, s32, [64], in
        .tensor out0, s32, [64], out, shares arg0
        .smem
        .align 16
setup:  .space 16
move:   .space 16
args:   .space 2 * argument_words
values: .space 64
        .text
        fetch_arguments setup, args, 2
        descriptor move, in_hbm, in_smem, 1
        tensor_address move, copy_source, args, 0
        store_word move + copy_target, values << 2
        store_word move + copy_length, 256
        copy_and_wait move, f1
        s6 = mov values
        s7 = mov values + 64
loop:   s8 = sld [s6]
        s8 = add s8, 1
        sst [s6], s8
        s6 = add s6, 1
        p1 = lt.s32 s6, s7
        @p1 br loop
        descriptor move, in_smem, in_hbm, 2
        store_word move + copy_source, values << 2
        tensor_address move, copy_target, args, 1
        store_word move + copy_length, 256
        copy_and_wait move, f2
        halt
)";

// The first argument gives its memory away, and is as it was; so is the result.
constexpr std::string_view donates_first = R"(
        .tensor arg0, f32, [64], in
        .tensor arg1, f32, [64], in
        .tensor out0, f32, [64], out, shares arg0
        halt
)";
constexpr std::string_view donates_second = R"(
        .tensor arg0, f32, [64], in
        .tensor arg1, f32, [64], in
        .tensor out0, f32, [64], out, shares arg1
        halt
)";

void forget(PJRT_Event* event) {
  auto destroy = arguments<PJRT_Event_Destroy_Args>();
  destroy.event = event;
  check(GetPjrtApi()->PJRT_Event_Destroy(&destroy));
}

Array numbers(const Session& session, std::int32_t value) {
  const std::vector<std::int32_t> elements(64, value);
  return session.put({PJRT_Buffer_Type_S32, elements.data(), {64}});
}

// Whether all elements are this one; nothing where the array is gone.
std::optional<bool> holds(const Array& array, std::int32_t value) {
  std::vector<std::int32_t> back;
  if (array.read(back)) return std::nullopt;
  return std::all_of(back.begin(), back.end(), [&](std::int32_t v) { return v == value; });
}

template <typename... Work>
void at_once(Work... work) {
  std::array<std::thread, sizeof...(work)> threads{std::thread(work)...};
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("A buffer that is donated is refused as a second argument of the call") {
  const Session session(with_assembler());
  const auto refusal = [&](std::string_view text) {
    const Program program(session, text);
    const Array array = session.put(std::vector<float>(64, 1.0F));
    Program::Run run;
    const auto problem = program.try_run({&array, &array}, run);
    REQUIRE(problem.has_value());
    CHECK(problem->code == PJRT_Error_Code_INVALID_ARGUMENT);
    CHECK_FALSE(array.is_deleted());
    return problem->message;
  };
  CHECK(refusal(donates_first).find("f(donate(a), a)") != std::string::npos);
  CHECK(refusal(donates_second).find("f(a, donate(a))") != std::string::npos);
  const Program program(session, donates_first);
  const Array array = session.put(std::vector<float>(64, 1.0F));
  Program::Run run;
  CHECK_FALSE(program.try_run({&array, &array}, run, {0}).has_value());  // kept, not donated
  forget(run.done);
}

TEST_CASE("A call that is refused takes nothing away") {
  const Session session(with_assembler());
  const Program program(session, R"(
        .tensor arg0, f32, [64], in
        .tensor arg1, f32, [64], in
        .tensor out0, f32, [64], out, shares arg0
        .tensor out1, f32, [64], out, shares arg1
        halt
)");
  const Array there = session.put(std::vector<float>(64, 1.0F));
  const Array gone = session.put(std::vector<float>(64, 1.0F));
  gone.erase();
  Program::Run run;
  const auto problem = program.try_run({&there, &gone}, run);
  REQUIRE(problem.has_value());
  CHECK(problem->message.find("deleted or donated") != std::string::npos);
  CHECK_FALSE(there.is_deleted());
}

TEST_CASE("Of threads that donate one array, one gets it") {
  const Session session(with_assembler());
  const Program program(session, counting_program);
  for (std::int32_t round = 0; round < 100; ++round) {
    const Array array = numbers(session, round);
    std::atomic<int> won{0};
    std::atomic<int> wrong{0};
    const auto donate = [&] {
      Program::Run run;
      if (program.try_run({&array}, run)) return;
      ++won;
      wrong += holds(run.results[0], round + 1).value_or(false) ? 0 : 1;
      forget(run.done);
    };
    at_once(donate, donate, donate);
    REQUIRE(won == 1);
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("A reader that had the array before it was donated finds what was in it") {
  const Session session(with_assembler());
  const Program program(session, counting_program);
  const Array array = numbers(session, 7);
  const pjrt::SharedStorage held = pjrt::pointer_of(array.get())->storage();
  Program::Run run;
  REQUIRE_FALSE(program.try_run({&array}, run).has_value());
  std::vector<std::int32_t> back(64);
  const auto done = std::make_shared<pjrt::Completion>();
  held->worker()->post(
      pjrt::TaskKind::transfer,
      [&](runtime::Device& device) {
        device.read(*held->tensor(), {reinterpret_cast<std::uint8_t*>(back.data()), 256});
      },
      done);
  CHECK(done->wait().ok());
  CHECK(back == std::vector<std::int32_t>(64, 7));
  CHECK(holds(run.results[0], 8) == true);
  forget(run.done);
}

TEST_CASE("Who reads an array while it is donated gets what was in it, or an error") {
  const Session session(with_assembler());
  const Program program(session, counting_program);
  for (std::int32_t round = 0; round < 200; ++round) {
    const Array array = numbers(session, round);
    std::atomic<int> wrong{0};
    const auto donate = [&] {
      Program::Run run;
      if (program.try_run({&array}, run)) {
        ++wrong;
        return;
      }
      wrong += holds(run.results[0], round + 1).value_or(false) ? 0 : 1;
      forget(run.done);
    };
    const auto read = [&] { wrong += holds(array, round).value_or(true) ? 0 : 1; };
    const auto use = [&] {  // kept: the run works on a copy
      Program::Run run;
      if (program.try_run({&array}, run, {0})) return;
      wrong += holds(run.results[0], round + 1).value_or(false) ? 0 : 1;
      forget(run.done);
    };
    at_once(read, donate, use);
    REQUIRE(wrong == 0);
  }
}

}  // namespace
}  // namespace tandem::pjrt_test
