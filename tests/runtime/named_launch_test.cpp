#include "runtime/device/named_launch.hpp"

#include <catch2/catch.hpp>

#include "isa/object/object.hpp"
#include "tests/runtime/support.hpp"

using namespace tandem::runtime;  // NOLINT: a test file

namespace tandem::test {
namespace {

constexpr std::size_t tile = 64;  // 8 rows of nano's 8 lanes

Image add_one() { return read_program(assembled(add_one_program())); }

std::vector<std::int32_t> counted() {
  std::vector<std::int32_t> values(tile);
  for (std::size_t i = 0; i < tile; ++i) values[i] = static_cast<std::int32_t>(i * 3);
  return values;
}

std::map<std::string, TensorData> data() { return {{"x", {{8, 8}, bytes_of(counted())}}}; }

}  // namespace

TEST_CASE("tensors by name lie where a launch of its own would place them") {
  const Image image = add_one();
  const Launch expected = make_launch(image, data(), std::uint64_t{4} << 30U, 1);
  NamedLaunch job({}, image, data());
  const auto run = job.start({});
  REQUIRE(run->launch().tensors.size() == expected.tensors.size());
  for (std::size_t i = 0; i < expected.tensors.size(); ++i) {
    CHECK(run->launch().tensors[i].address == expected.tensors[i].address);
  }
  CHECK(run->launch().argument_pointer == expected.argument_pointer);
}

TEST_CASE("a job runs in slices, again on what it left, and its tensors can be read") {
  const Model model = GENERATE(Model::golden, Model::cycle);
  DeviceOptions options;
  options.model = model;
  NamedLaunch job(options, add_one(), data());
  for (int again = 0; again < 2; ++again) {
    const auto run = job.start({});
    while (run->advance(7) == Outcome::running) {
    }
    CHECK(run->advance(1) == Outcome::halted);
    std::vector<std::int32_t> wanted = counted();
    for (std::int32_t& value : wanted) ++value;
    CHECK(job.read("y").bytes == bytes_of(wanted));
    CHECK(job.read("x").bytes == bytes_of(counted()));
  }
}

TEST_CASE("readers get records and events of a device's run") {
  std::uint64_t records = 0;
  NamedLaunch job({}, add_one(), data());
  const auto run = job.start({nullptr, [&records](const RetireRecord&) { ++records; }});
  CHECK(run->advance(1'000'000) == Outcome::halted);
  CHECK(records == run->runner().bundles());
}

TEST_CASE("lockstep of golden and cycle-exact model needs no RTL, and sees a planted fault") {
  DeviceOptions options;
  options.model = Model::lockstep;
  options.lockstep.rtl = false;
  {
    NamedLaunch job(options, add_one(), data());
    CHECK(job.start({})->advance(1'000'000) == Outcome::halted);
  }
  options.plant = "write.data@5";
  NamedLaunch job(options, add_one(), data());
  CHECK(job.start({})->advance(1'000'000) == Outcome::mismatch);
  options.plant = "nonsense";
  CHECK_THROWS_AS(NamedLaunch(options, add_one(), data()), Error);
}

TEST_CASE("a job that cannot be placed says why") {
  DeviceOptions options;
  CHECK_THROWS_AS(NamedLaunch(options, add_one(), {}), LaunchError);
  options.hbm_bytes = 0x12000;
  CHECK_THROWS_AS(NamedLaunch(options, add_one(), data()), LaunchError);
  CHECK_THROWS_AS(NamedLaunch({}, add_one(), data()).tensor("z"), LaunchError);
}

}  // namespace tandem::test
