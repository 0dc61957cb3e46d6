// Coverage's bins (cosim/coverage): what directed programs and random ones reach together is all
// that can be reached.
#include <catch2/catch.hpp>

#include "cosim/coverage/coverage_file.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/session/random_session.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/file_text.hpp"
#include "tests/programs/lockstep.hpp"

namespace tandem::directed {
namespace {

// Runs it on golden and the cycle-exact model; other tests check its behaviour.
void collect(const std::string& path, const Parameters& preset, const MachineOptions& machine,
             Coverage& coverage) {
  const Prepared prepared(path, preset);
  coverage.begin(prepared.image);
  LockstepOptions options;
  options.machine = machine;
  options.reader = [&coverage](const RetireRecord& record) { coverage.record(record); };
  options.timing = &coverage;
  make_lockstep_runner(prepared.launch, make_cycle_machine(preset, machine), options)
      ->advance(prepared.expectation.limit * 200);
}

void collect_directed(Coverage& coverage) {
  std::vector<MachineOptions> machines = slow_memories();
  machines.push_back({});
  machines.push_back(jittery_memory(1));
  for (const char* preset : {"nano", "small"}) {
    for (const std::string& path : program_paths()) {
      for (const MachineOptions& machine : machines) {
        collect(path, *find_preset(preset), machine, coverage);
      }
    }
  }
}

TEST_CASE("directed and random programs together reach every bin that can be reached") {
  Coverage coverage;
  collect_directed(coverage);
  RandomLockstep lockstep(*find_preset("nano"), make_cycle_machine, {}, {}, "");
  lockstep.set_coverage(&coverage);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) REQUIRE(lockstep.run(seed).passed());
  BinCounts counts;
  add_counts(counts, coverage);
  const std::vector<GroupCoverage> groups = summarise(counts);
  std::string missing;
  for (const GroupCoverage& group : groups) {
    for (const std::string& name : group.missing) missing += name + "\n";
  }
  INFO(coverage_text(groups) << missing);
  const std::string path = "tests/programs/coverage_floors.json";
  CHECK(below_floors(groups, file_text(path), path).empty());
  CHECK(wrongly_unreachable(counts).empty());
}

}  // namespace
}  // namespace tandem::directed
