#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "python/pjrt/programs/host_calls.hpp"
#include "tests/python/pjrt_program.hpp"

namespace tandem::pjrt_test {
namespace {

using Clock = std::chrono::steady_clock;

// Millions of bundles before the end.
constexpr std::string_view long_program = R"(
        .tensor out0, f32, [1], out
        s4 = mov 400000000
loop:   { s4 = sub s4, 1 ; p1 = gt.s32 s4, 1 }
        { @p1 br loop }
        trap 7
)";

constexpr std::string_view trap_program = R"(
        .tensor out0, f32, [4], out
        trap 7
)";

TEST_CASE("A program runs on every model") {
  const std::string model = GENERATE("golden", "cycle", "rtl", "lockstep");
  const Session session(with_assembler({{"model", model}}));
  const Program program(session, copy_program);
  std::vector<float> values(64, 2.5F);
  values[63] = -1.0F;
  const Array argument = session.put(values);
  const Program::Run run = program.run({&argument});
  CHECK_FALSE(awaited(run.done).has_value());
  std::vector<float> back;
  CHECK_FALSE(run.results[0].read(back).has_value());
  CHECK(back == values);
}

TEST_CASE("Results go into the next run without a stop at the host") {
  const Session session(with_assembler());
  const Program program(session, copy_program);
  const std::vector<float> values(64, 3.0F);
  Array array = session.put(values);
  std::vector<Program::Run> runs;
  for (int i = 0; i < 50; ++i) {
    runs.push_back(program.run({i == 0 ? &array : &runs.back().results[0]}));
  }
  std::vector<float> back;
  CHECK_FALSE(runs.back().results[0].read(back).has_value());
  CHECK(back == values);
  for (const Program::Run& run : runs) CHECK_FALSE(awaited(run.done).has_value());
}

TEST_CASE("Arguments that do not fit are refused in the call") {
  const Session session(with_assembler({{"devices", "2"}}));
  const Program program(session, copy_program);
  Program::Run run;
  auto problem = program.try_run({}, run);
  REQUIRE(problem.has_value());
  CHECK(problem->message == "the program takes 1 arguments, 0 are given");
  const Array wrong = session.put(std::vector<float>(3));
  problem = program.try_run({&wrong}, run);
  REQUIRE(problem.has_value());
  CHECK(problem->message == "argument 0 is f32[3], the program takes f32[64]");
  const Array elsewhere = session.put(std::vector<float>(64), 1);
  problem = program.try_run({&elsewhere}, run);
  REQUIRE(problem.has_value());
  CHECK(problem->message.find("is on device 1") != std::string::npos);
}

std::uintptr_t address_of(const Array& array) {
  auto args = arguments<PJRT_Buffer_UnsafePointer_Args>();
  args.buffer = array.get();
  check(GetPjrtApi()->PJRT_Buffer_UnsafePointer(&args));
  return args.buffer_pointer;
}

TEST_CASE("A donated argument is gone, and its memory is the result's") {
  const Session session(with_assembler());
  const Program program(session, donating_program);
  const std::vector<float> values(64, 4.0F);
  const Array argument = session.put(values);
  const std::uintptr_t place = address_of(argument);
  Program::Run run;
  CHECK_FALSE(program.try_run({&argument}, run).has_value());
  CHECK(argument.is_deleted());
  CHECK(address_of(run.results[0]) == place);
  std::vector<float> back;
  CHECK_FALSE(run.results[0].read(back).has_value());
  CHECK(back == values);
  CHECK_FALSE(awaited(run.done).has_value());
  Program::Run again;
  CHECK(program.try_run({&argument}, again).has_value());
}

TEST_CASE("An argument that the caller keeps is copied instead of donated") {
  const Session session(with_assembler());
  const Program program(session, donating_program);
  const std::vector<float> values(64, 4.0F);
  const Array argument = session.put(values);
  Program::Run run;
  CHECK_FALSE(program.try_run({&argument}, run, {0}).has_value());
  CHECK_FALSE(argument.is_deleted());
  CHECK(address_of(run.results[0]) != address_of(argument));
  std::vector<float> back;
  CHECK_FALSE(run.results[0].read(back).has_value());
  CHECK(back == values);
  CHECK_FALSE(awaited(run.done).has_value());
}

TEST_CASE("A trap arrives at the event, at the result and at what is computed from it") {
  const Session session(with_assembler());
  const Program program(session, trap_program);
  const Program::Run run = program.run({});
  const auto problem = awaited(run.done);
  REQUIRE(problem.has_value());
  CHECK(problem->code == PJRT_Error_Code_INTERNAL);
  CHECK(problem->message.find("trap") != std::string::npos);
  std::vector<float> back;
  CHECK(run.results[0].read(back).has_value());
}

TEST_CASE("A call returns while a long run goes on, and the end of the client ends the run") {
  const auto start = Clock::now();
  PJRT_Event* done = nullptr;
  {
    const Session session(with_assembler());
    const Program program(session, long_program);
    Program::Run run = program.run({});
    done = run.done;
    CHECK_FALSE(is_ready(done));
  }
  const auto problem = awaited(done);
  REQUIRE(problem.has_value());
  CHECK(problem->code == PJRT_Error_Code_CANCELLED);
  CHECK(Clock::now() - start < std::chrono::seconds(4));
}

TEST_CASE("A device goes on while another one is busy") {
  const Session session(with_assembler({{"devices", "2"}}));
  const Program busy(session, long_program);
  const Program::Run long_run = busy.run({});
  const std::vector<float> values(64, 1.5F);
  const Array there = session.put(values, 1);
  std::vector<float> back;
  CHECK_FALSE(there.read(back).has_value());
  CHECK(back == values);
  // Field 3 (build options) { field 1 (device ordinal): 1 }.
  const Program other(session, copy_program, {0x1A, 0x02, 0x08, 0x01});
  const Program::Run run = other.run({&there});
  CHECK_FALSE(awaited(run.done).has_value());
  CHECK_FALSE(is_ready(long_run.done));
  auto destroy = arguments<PJRT_Event_Destroy_Args>();
  destroy.event = long_run.done;
  check(GetPjrtApi()->PJRT_Event_Destroy(&destroy));
}

TEST_CASE("A program over several devices wants a partitioner") {
  const Session session(with_assembler({{"devices", "2"}}));
  PJRT_LoadedExecutable* executable = nullptr;
  // Build options { num_partitions: 2 }.
  const auto problem =
      Program::try_compile(session, copy_program, executable, {0x1A, 0x02, 0x28, 0x02});
  REQUIRE(problem.has_value());
  CHECK(problem->code == PJRT_Error_Code_UNIMPLEMENTED);
  CHECK(problem->message.find("TANDEM_PARTITIONER") != std::string::npos);
}

TEST_CASE("What the compiler says becomes the error") {
  const Session session(with_assembler());
  PJRT_LoadedExecutable* executable = nullptr;
  const auto problem = Program::try_compile(session, "  s99 = mov 1\n", executable);
  REQUIRE(problem.has_value());
  CHECK(problem->message.find("s99") != std::string::npos);
}

TEST_CASE("A compiler that is missing, fails or is killed gives an error") {
  const auto message = [](const std::string& compiler) {
    const Session session({{"compiler", compiler}, {"cache_bytes", "0"}});
    PJRT_LoadedExecutable* executable = nullptr;
    const auto problem = Program::try_compile(session, copy_program, executable);
    REQUIRE(problem.has_value());
    return problem->message;
  };
  CHECK(message("/nowhere/tandem-compile").find("TANDEM_COMPILER") != std::string::npos);
  CHECK(message("/bin/true") == "the compiler wrote no program");
  const auto folder = std::filesystem::temp_directory_path() / "tandem_pjrt_killed";
  std::filesystem::create_directories(folder);
  const std::string killed = folder / "killed";
  std::ofstream(killed) << "#!/bin/sh\necho half a word >&2\nkill -9 $$\n";
  std::filesystem::permissions(killed, std::filesystem::perms::owner_all);
  CHECK(message(killed).find("signal 9") != std::string::npos);
  std::filesystem::remove_all(folder);
}

// The arguments of the host's functions.
std::atomic<int> begun{0};
std::atomic<int> ended{0};
const TandemHostFunctions counting_functions{[](const char*) -> std::int64_t { return ++begun; },
                                             [](std::int64_t, const std::uint32_t*, std::int64_t,
                                                std::int64_t, int last, char*, std::int64_t) {
                                               ended += last;
                                               return 0;
                                             }};

TEST_CASE("A call that is refused ends what the host was told to begin") {
  tandem_install_host_functions(&counting_functions);
  const std::string key(48, '0');
  const Session session(with_assembler());
  const Program program(session, "# tandem.host.key:" + key + R"(
        .tensor arg0, f32, [64], in
        .tensor out0, f32, [64], out, shares arg0
        .tensor debug_log, u32, [16], out
        halt
)");
  const Array array = session.put(std::vector<float>(64));
  array.erase();
  Program::Run run;
  CHECK(program.try_run({&array}, run).has_value());
  tandem_wait_for_host_functions();
  CHECK(begun == ended);
  const Array other = session.put(std::vector<float>(64));
  CHECK_FALSE(awaited(program.run({&other}).done).has_value());
  tandem_wait_for_host_functions();
  CHECK(begun == 2);
  CHECK(ended == 2);
  tandem_install_host_functions(nullptr);
}

TEST_CASE("A tuning cache reaches the compiler, and another content compiles anew") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("tandem_pjrt_tuning_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string log = folder / "log";
  const std::string choices = folder / "choices";
  const std::string compiler = folder / "compiler";
  std::ofstream(compiler) << "#!/bin/sh\necho \"$6 $7\" >> " << log << "\nexec "
                          << TANDEM_ASM_COMPILER << " \"$1\" \"$2\" \"$3\" \"$4\" \"$5\"\n";
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const auto compile = [&](const Options& more) {
    Options options{{"compiler", compiler}, {"cache", folder / "programs"}};
    options.insert(options.end(), more.begin(), more.end());
    const Session session(options);
    const Program program(session, copy_program);
    std::ifstream file(log);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string with = "--tuning-cache " + choices + "\n";
  const std::string without = "--hbm=4294967296 \n";
  CHECK(compile({}) == without);
  CHECK(compile({{"tuning_cache", choices}}) == without);  // not there: as without
  std::ofstream(choices) << "one";
  CHECK(compile({{"tuning_cache", choices}}) == without + with);
  CHECK(compile({{"tuning_cache", choices}}) == without + with);
  std::ofstream(choices) << "two";
  CHECK(compile({{"tuning_cache", choices}}) == without + with + with);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tandem::pjrt_test
