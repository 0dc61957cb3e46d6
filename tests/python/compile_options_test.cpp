#include "python/pjrt/programs/compile_options.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

TEST_CASE("Compile options that say nothing mean one device, the first") {
  const CompileOptions options = read_compile_options("");
  CHECK(options.replicas * options.partitions == 1);
  CHECK(options.devices.empty());
}

TEST_CASE("Compile options tell replicas, partitions and the device") {
  // executable_build_options { num_replicas: 1 num_partitions: 2 device_assignment {
  //   replica_count: 1 computation_count: 2 computation_devices { 5 } computation_devices { 6 } } }
  const std::string assignment{0x08, 1, 0x10, 2, 0x1A, 3, 0x0A, 1, 5, 0x1A, 2, 0x08, 6};
  std::string build{0x20, 1, 0x28, 2, 0x4A, static_cast<char>(assignment.size())};
  build += assignment;
  const std::string proto = std::string{0x1A, static_cast<char>(build.size())} + build;
  const CompileOptions options = read_compile_options(proto);
  CHECK(options.replicas == 1);
  CHECK(options.partitions == 2);
  CHECK(options.devices == std::vector<std::int64_t>{5, 6});
}

TEST_CASE("The assignment of devices is read as it is written") {
  for (const std::vector<std::int64_t>& devices :
       {std::vector<std::int64_t>{0}, {7}, {63}, {3, 1, 0}, {62, 63}}) {
    const std::string assignment = device_assignment_of(devices);
    std::string build{0x4A, static_cast<char>(assignment.size())};
    build += assignment;
    const std::string proto = std::string{0x1A, static_cast<char>(build.size())} + build;
    CHECK(read_compile_options(proto).devices == devices);
  }
}

TEST_CASE("Results whose sharding is open come packed, or one a field") {
  // executable_build_options { allow_spmd_sharding_propagation_to_output: [true, false, true] }
  for (const std::string& build : {std::string{0x62, 3, 1, 0, 1}, {0x60, 1, 0x60, 0, 0x60, 1}}) {
    const std::string proto = std::string{0x1A, static_cast<char>(build.size())} + build;
    CHECK(read_compile_options(proto).free_results == std::vector<bool>{true, false, true});
  }
}

TEST_CASE("An option by name is refused, and named") {
  // env_option_overrides { key: "fast" value { bool_field: true } }
  const std::string entry{0x0A, 4, 'f', 'a', 's', 't', 0x12, 2, 0x18, 1};
  const std::string proto = std::string{0x3A, static_cast<char>(entry.size())} + entry;
  try {
    (void)read_compile_options(proto);
    FAIL("taken");
  } catch (const Failure& failure) {
    CHECK(failure.status.message.starts_with("No such compile option: 'fast'"));
  }
}

TEST_CASE("Bytes that are no compile options are refused or read, never more") {
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 40, 0);
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (i % 2 == 0 && !bytes.empty()) bytes[0] = 0x1A;
    try {
      (void)read_compile_options(bytes);
    } catch (const Failure&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace tandem::pjrt
