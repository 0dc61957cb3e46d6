// Programs over several devices: their runs are one to the caller. The partitioner is a script here
// that writes what each test has prepared.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <list>
#include <thread>

#include "python/pjrt/core/pieces.hpp"
#include "tests/python/pjrt_program.hpp"
#include "tests/python/temporary_folder.hpp"
#include "xla/pjrt/c/pjrt_c_api_shardings_extension.h"

namespace tandem::pjrt_test {
namespace {

using Clock = std::chrono::steady_clock;

// The inputs of the device, and the number of its partition.
const std::string numbered_program = include_common + R"(
        .tensor arg0, f32, [64], in
        .tensor arg1, u32, [], in
        .tensor out0, f32, [64], out
        .tensor out1, u32, [1], out
        .smem
        .align 16
setup:  .space 16
move:   .space 16
args:   .space 4 * argument_words
        .text
        fetch_arguments setup, args, 4
        descriptor move, in_hbm, in_hbm, 1
        tensor_address move, copy_source, args, 0
        tensor_address move, copy_target, args, 2
        store_word move + copy_length, 256
        copy_and_wait move, f1
        tensor_address move, copy_source, args, 1
        tensor_address move, copy_target, args, 3
        store_word move + copy_length, 4
        copy_and_wait move, f1
        halt
)";

// Partition 1 traps immediately, the others run for minutes.
const std::string failing_program = include_common + R"(
        .tensor arg0, u32, [], in
        .tensor out0, f32, [1], out
        .smem
        .align 16
setup:  .space 16
move:   .space 16
args:   .space 2 * argument_words
number: .space 16
        .text
        fetch_arguments setup, args, 2
        descriptor move, in_hbm, in_smem, 1
        tensor_address move, copy_source, args, 0
        store_word move + copy_target, number << 2
        store_word move + copy_length, 4
        copy_and_wait move, f1
        s6 = sld [number]
        s4 = mov 400000000
        { p2 = eq s6, 1 }
        { @p2 br fail }
loop:   { s4 = sub s4, 1 ; p1 = gt.s32 s4, 1 }
        { @p1 br loop }
fail:   trap 7
)";

std::string number(std::uint64_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

// As python/tandem/partition/pieces.py writes it.
std::string partitioned(const std::string& program, bool takes_number,
                        const std::vector<std::string>& arguments,
                        const std::vector<std::string>& results) {
  std::string bytes = "TNDMPT01";
  pjrt::append_piece(
      bytes, number(takes_number ? 1 : 0) + number(arguments.size()) + number(results.size()));
  pjrt::append_piece(bytes, program);
  pjrt::append_piece(bytes, "shown");
  for (const std::string& sharding : arguments) pjrt::append_piece(bytes, sharding);
  for (const std::string& sharding : results) pjrt::append_piece(bytes, sharding);
  return bytes;
}

// A partitioner that writes these bytes, or runs this line.
class Partitioner {
 public:
  explicit Partitioner(const std::string& bytes, const std::string& line = "cat \"$0.bytes\"") {
    std::ofstream(path() + ".bytes") << bytes;
    std::ofstream(path()) << "#!/bin/sh\ncat > \"$0.input\"\necho \"$@\" > \"$0.words\"\n"
                          << line << "\n";
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::string path() const { return folder_.path() + "/partitioner"; }
  [[nodiscard]] std::string words() const {
    std::ifstream file(path() + ".words");
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  TemporaryFolder folder_;
};

Options with(const Partitioner& partitioner, const std::string& devices) {
  return with_assembler({{"partitioner", partitioner.path()}, {"devices", devices}});
}

// Build options { num_partitions, device_assignment, both results free }.
std::string options_for(const std::vector<char>& devices) {
  std::string assignment{0x08, 1, 0x10, static_cast<char>(devices.size())};
  for (const char device : devices) assignment += {0x1A, 3, 0x0A, 1, device};
  std::string build{0x28, static_cast<char>(devices.size()), 0x4A,
                    static_cast<char>(assignment.size())};
  build += assignment + std::string{0x62, 2, 1, 0};
  return std::string{0x1A, static_cast<char>(build.size())} + build;
}

struct GroupRun {
  std::vector<std::vector<Array>> results;  // of each device
  std::vector<PJRT_Event*> done;
};

std::optional<Problem> try_run(const Program& program,
                               const std::vector<std::vector<const Array*>>& arrays,
                               std::size_t results, GroupRun& run) {
  std::vector<std::vector<PJRT_Buffer*>> inputs;
  std::vector<std::vector<PJRT_Buffer*>> outputs(arrays.size(), std::vector<PJRT_Buffer*>(results));
  std::vector<PJRT_Buffer* const*> input_lists;
  std::vector<PJRT_Buffer**> output_lists;
  inputs.reserve(arrays.size());
  for (std::size_t d = 0; d < arrays.size(); ++d) {
    inputs.emplace_back();
    for (const Array* array : arrays[d]) inputs[d].push_back(array->get());
    input_lists.push_back(inputs[d].data());
    output_lists.push_back(outputs[d].data());
  }
  run.done.resize(arrays.size());
  auto args = arguments<PJRT_LoadedExecutable_Execute_Args>();
  args.executable = program.get();
  auto options = arguments<PJRT_ExecuteOptions>();
  args.options = &options;
  args.argument_lists = input_lists.data();
  args.num_devices = arrays.size();
  args.num_args = arrays.front().size();
  args.output_lists = output_lists.data();
  args.device_complete_events = run.done.data();
  if (auto problem = taken(GetPjrtApi()->PJRT_LoadedExecutable_Execute(&args))) return problem;
  for (const std::vector<PJRT_Buffer*>& of_device : outputs) {
    run.results.emplace_back();
    for (PJRT_Buffer* const buffer : of_device) run.results.back().emplace_back(buffer);
  }
  return std::nullopt;
}

GroupRun run(const Program& program, const std::vector<std::vector<const Array*>>& arrays,
             std::size_t results) {
  GroupRun run;
  const auto problem = try_run(program, arrays, results, run);
  if (problem) FAIL(problem->message);
  return run;
}

TEST_CASE("A program over several devices runs on each, by the order that it was given") {
  const Partitioner partitioner(partitioned(numbered_program, true, {"a"}, {"b", "cc"}));
  const Session session(with(partitioner, "3"));
  const Program program(session, "whole", options_for({2, 0}));
  CHECK(partitioner.words() == "--partitions=2 --free=10\n");
  const Array on_2 = session.put(std::vector<float>(64, 2.0F), 2);
  const Array on_0 = session.put(std::vector<float>(64, 0.5F), 0);
  for (int i = 0; i < 3; ++i) {
    const GroupRun group = run(program, {{&on_2}, {&on_0}}, 2);
    for (std::uint32_t partition = 0; partition < 2; ++partition) {
      CHECK_FALSE(awaited(group.done[partition]).has_value());
      std::vector<float> values;
      CHECK_FALSE(group.results[partition][0].read(values).has_value());
      CHECK(values == std::vector<float>(64, partition == 0 ? 2.0F : 0.5F));
      std::vector<std::uint32_t> told;
      CHECK_FALSE(group.results[partition][1].read(told).has_value());
      CHECK(told == std::vector<std::uint32_t>{partition});
    }
  }
}

TEST_CASE("An executable over several devices answers for all of them") {
  const Partitioner partitioner(partitioned(numbered_program, true, {"a"}, {"b", "cc"}));
  const Session session(with(partitioner, "3"));
  const Program program(session, "whole", options_for({2, 0}));
  auto devices = arguments<PJRT_LoadedExecutable_AddressableDevices_Args>();
  devices.executable = program.get();
  check(GetPjrtApi()->PJRT_LoadedExecutable_AddressableDevices(&devices));
  REQUIRE(devices.num_addressable_devices == 2);
  CHECK(devices.addressable_devices[0] == session.device(2));
  CHECK(devices.addressable_devices[1] == session.device(0));
  auto executable = arguments<PJRT_LoadedExecutable_GetExecutable_Args>();
  executable.loaded_executable = program.get();
  check(GetPjrtApi()->PJRT_LoadedExecutable_GetExecutable(&executable));
  auto partitions = arguments<PJRT_Executable_NumPartitions_Args>();
  partitions.executable = executable.executable;
  check(GetPjrtApi()->PJRT_Executable_NumPartitions(&partitions));
  CHECK(partitions.num_partitions == 2);
  auto destroy = arguments<PJRT_Executable_Destroy_Args>();
  destroy.executable = executable.executable;
  check(GetPjrtApi()->PJRT_Executable_Destroy(&destroy));
}

TEST_CASE("The extension tells shardings as the partitioner said them") {
  const Partitioner partitioner(partitioned(numbered_program, true, {"a"}, {"b", "cc"}));
  const Session session(with(partitioner, "2"));
  const Program program(session, "whole", options_for({0, 1}));
  const auto* extension =
      reinterpret_cast<PJRT_Shardings_Extension*>(GetPjrtApi()->extension_start);
  REQUIRE(extension->base.type == PJRT_Extension_Type_Shardings);
  auto executable = arguments<PJRT_LoadedExecutable_GetExecutable_Args>();
  executable.loaded_executable = program.get();
  check(GetPjrtApi()->PJRT_LoadedExecutable_GetExecutable(&executable));
  auto inputs = arguments<PJRT_Shardings_PJRT_Executable_ParameterShardings_Args>();
  inputs.executable = executable.executable;
  check(extension->PJRT_Shardings_PJRT_Executable_ParameterShardings(&inputs));
  REQUIRE(inputs.num_parameters == 1);  // the number is not an argument of the caller
  CHECK(std::string(inputs.shardings[0], inputs.sharding_sizes[0]) == "a");
  auto outputs = arguments<PJRT_Shardings_PJRT_Executable_OutputShardings_Args>();
  outputs.executable = executable.executable;
  check(extension->PJRT_Shardings_PJRT_Executable_OutputShardings(&outputs));
  REQUIRE(outputs.num_outputs == 2);
  CHECK(std::string(outputs.shardings[1], outputs.sharding_sizes[1]) == "cc");
  auto destroy = arguments<PJRT_Executable_Destroy_Args>();
  destroy.executable = executable.executable;
  check(GetPjrtApi()->PJRT_Executable_Destroy(&destroy));
}

TEST_CASE("A device that fails ends the run of the others, and is named") {
  const auto start = Clock::now();
  const Partitioner partitioner(partitioned(failing_program, true, {}, {"b"}));
  const Session session(with(partitioner, "3"));
  const Program program(session, "whole", options_for({1, 2, 0}));
  const GroupRun group = run(program, {{}, {}, {}}, 1);
  for (PJRT_Event* const done : group.done) {
    const auto problem = awaited(done);
    REQUIRE(problem.has_value());
    CHECK(problem->message.starts_with(
        "on device 2 (partition 1 of 3): the program ended on golden"));
  }
  CHECK(Clock::now() - start < std::chrono::seconds(20));  // the loop alone takes minutes
  std::vector<float> back;
  CHECK(group.results[0][0].read(back).has_value());
}

TEST_CASE("The end of a client ends a run on all devices") {
  const auto start = Clock::now();
  const Partitioner partitioner(partitioned(failing_program, true, {}, {"b"}));
  std::vector<PJRT_Event*> done;
  {
    const Session session(with(partitioner, "4"));
    // Partition 1 waits for a long run of another program, so it does not fail before the end.
    const Program busy(session, R"(
        .tensor out0, f32, [1], out
        s4 = mov 400000000
loop:   { s4 = sub s4, 1 ; p1 = gt.s32 s4, 1 }
        { @p1 br loop }
        halt
)",
                       {0x1A, 0x02, 0x08, 0x01});
    const Program::Run long_run = busy.run({});
    done.push_back(long_run.done);
    const Program program(session, "whole", options_for({0, 1, 2, 3}));
    const GroupRun group = run(program, {{}, {}, {}, {}}, 1);
    done.insert(done.end(), group.done.begin(), group.done.end());
  }
  for (PJRT_Event* const event : done) {
    const auto problem = awaited(event);
    REQUIRE(problem.has_value());
    CHECK(problem->code == PJRT_Error_Code_CANCELLED);
  }
  CHECK(Clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("Donated arguments are taken from all devices or from none") {
  const std::string text(donating_program);
  const Partitioner partitioner(partitioned(text, false, {"a"}, {"b"}));
  const Session session(with(partitioner, "2"));
  const Program program(session, "whole", options_for({0, 1}));
  const Array first = session.put(std::vector<float>(64, 1.0F), 0);
  const Array second = session.put(std::vector<float>(64, 2.0F), 1);
  const Array gone = session.put(std::vector<float>(64, 3.0F), 1);
  gone.erase();
  GroupRun failed;
  REQUIRE(try_run(program, {{&first}, {&gone}}, 1, failed).has_value());
  CHECK_FALSE(first.is_deleted());
  const auto misplaced = try_run(program, {{&second}, {&first}}, 1, failed);
  REQUIRE(misplaced.has_value());
  CHECK(misplaced->message ==
        "argument 0 of partition 0 is on device 1, the program runs on device 0");
  const GroupRun group = run(program, {{&first}, {&second}}, 1);
  CHECK(first.is_deleted());
  CHECK(second.is_deleted());
  for (PJRT_Event* const done : group.done) CHECK_FALSE(awaited(done).has_value());
  std::vector<float> back;
  CHECK_FALSE(group.results[1][0].read(back).has_value());
  CHECK(back == std::vector<float>(64, 2.0F));
}

// A program with its arguments. Made before threads are: assertions are for one thread alone.
struct Prepared {
  Prepared(const Session& session, std::vector<char> devices)
      : order(std::move(devices)), program(session, "whole", options_for(order)) {
    for (const char device : order) {
      arrays.push_back(session.put(std::vector<float>(64, static_cast<float>(device)),
                                   static_cast<std::size_t>(device)));
    }
  }

  // Whether each of these runs returns its input, or is cancelled where allowed.
  [[nodiscard]] bool run(int times, bool may_be_cancelled) const {
    const auto is_right = [&](const std::optional<Problem>& problem) {
      return !problem || (may_be_cancelled && problem->code == PJRT_Error_Code_CANCELLED);
    };
    std::vector<std::vector<const Array*>> lists;
    for (const Array& array : arrays) lists.push_back({&array});
    bool right = true;
    for (int i = 0; i < times; ++i) {
      GroupRun group;
      if (try_run(program, lists, 2, group)) return false;
      for (std::size_t d = 0; d < order.size(); ++d) {
        right = is_right(awaited(group.done[d])) && right;
        std::vector<float> values;
        const auto problem = group.results[d][0].read(values);
        const std::vector<float> wanted(64, static_cast<float>(order[d]));
        right = (problem ? is_right(problem) : values == wanted) && right;
      }
    }
    return right;
  }

  std::vector<char> order;
  Program program;
  std::vector<Array> arrays;
};

TEST_CASE("Runs on crossing devices from several threads all end") {
  const Partitioner partitioner(partitioned(numbered_program, true, {"a"}, {"b", "cc"}));
  const Session session(with(partitioner, "3"));
  std::list<Prepared> programs;
  for (const std::vector<char>& order : {std::vector<char>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    programs.emplace_back(session, order);
  }
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (const Prepared& program : programs) {
    threads.emplace_back([&] { wrong += program.run(20, false) ? 0 : 1; });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("Copies between devices, runs of both and interrupts at once all end") {
  const Partitioner partitioner(partitioned(numbered_program, true, {"a"}, {"b", "cc"}));
  void (*const before)(int) = std::signal(SIGINT, [](int) {});  // as an interpreter has it
  const Session session(with(partitioner, "2"));
  std::list<Prepared> programs;
  for (const std::vector<char>& order : {std::vector<char>{0, 1}, {1, 0}}) {
    programs.emplace_back(session, order);
  }
  const std::vector<float> values(100, 7.0F);
  const std::vector<PJRT_Device*> devices{session.device(0), session.device(1)};
  const Array arrays[] = {session.put(values, 0), session.put(values, 1)};
  std::atomic<int> wrong{0};
  const auto copies = [&](std::size_t from) {
    for (int i = 0; i < 60; ++i) {
      auto args = arguments<PJRT_Buffer_CopyToDevice_Args>();
      args.buffer = arrays[from].get();
      args.dst_device = devices[1 - from];
      if (taken(GetPjrtApi()->PJRT_Buffer_CopyToDevice(&args))) ++wrong;
      const Array there(args.dst_buffer);
      std::vector<float> read;
      const auto problem = there.read(read);
      if (problem ? problem->code != PJRT_Error_Code_CANCELLED : read != values) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (const Prepared& program : programs) {
    threads.emplace_back([&] { wrong += program.run(20, true) ? 0 : 1; });
  }
  for (const std::size_t from : {0, 1}) threads.emplace_back([&, from] { copies(from); });
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::raise(SIGINT);
  }
  for (std::thread& thread : threads) thread.join();
  std::signal(SIGINT, before);
  CHECK(wrong == 0);
}

std::string refusal(const Partitioner& partitioner, const std::string& options) {
  const Session session(with(partitioner, "2"));
  PJRT_LoadedExecutable* executable = nullptr;
  const auto problem = Program::try_compile(session, "whole", executable, options);
  REQUIRE(problem.has_value());
  return problem->message;
}

TEST_CASE("Devices that are not there, or twice, are refused") {
  const Partitioner partitioner(partitioned(numbered_program, true, {"a"}, {"b", "cc"}));
  CHECK(refusal(partitioner, options_for({0, 5})).find("there is no device 5") == 0);
  CHECK(refusal(partitioner, options_for({1, 1})) ==
        "2 partitions on devices 1, 1: each wants one of its own");
  CHECK(refusal(partitioner, options_for({0, 1, 2})).find("where there are 2") !=
        std::string::npos);
}

TEST_CASE("Ctrl-C at the partitioner's end ends the compilation") {
  void (*const before)(int) = std::signal(SIGINT, [](int) {});  // as an interpreter has it
  CHECK(refusal(Partitioner(partitioned(numbered_program, true, {"a"}, {"b", "cc"}),
                            "kill -INT $PPID; cat \"$0.bytes\""),
                options_for({0, 1})) == "the compilation was interrupted");
  std::signal(SIGINT, before);
}

TEST_CASE("A partitioner that refuses, fails or writes something else gives an error") {
  const std::string options = options_for({0, 1});
  const std::string good = partitioned(numbered_program, true, {"a"}, {"b", "cc"});
  CHECK(refusal(Partitioner("", "echo 'a.py:3: error: no' >&2; exit 1"), options) ==
        "a.py:3: error: no");
  CHECK(refusal(Partitioner("", "echo oh >&2; exit 3"), options) == "the partitioner failed: oh");
  CHECK(refusal(Partitioner("", "kill -9 $$"), options).find("signal 9") != std::string::npos);
  CHECK(refusal(Partitioner(""), options) == "the partitioner wrote no program");
  for (std::size_t size = 1; size < good.size(); size += 37) {
    CHECK(refusal(Partitioner(good.substr(0, size)), options).find("partitioned program") !=
          std::string::npos);
  }
  const std::string too_many = partitioned(numbered_program, true, {"a", "a"}, {"b", "cc"});
  CHECK(refusal(Partitioner(too_many), options).find("other arguments or results") !=
        std::string::npos);
}

}  // namespace
}  // namespace tandem::pjrt_test
