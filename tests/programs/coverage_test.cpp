// The directed programs, taken together, execute everything that the tables name.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>

#include "tests/programs/coverage.hpp"
#include "tests/programs/directed.hpp"

namespace tandem::directed {
namespace {

Bins covered() {
  Coverage coverage;
  for (const char* preset : {"nano", "small"}) {
    for (const std::string& path : program_paths()) {
      const Prepared prepared(path, *find_preset(preset));
      coverage.start();
      differences_on_golden(prepared, [&](const RetireRecord& record) { coverage.add(record); });
    }
  }
  return coverage.bins();
}

std::string missing(const Bins& required) {
  static const Bins seen = covered();
  Bins lacking;
  std::set_difference(required.begin(), required.end(), seen.begin(), seen.end(),
                      std::inserter(lacking, lacking.begin()));
  std::string text;
  for (const std::string& bin : lacking) text += "  " + bin + "\n";
  return text;
}

void check_covered(const Bins& required) {
  REQUIRE(!required.empty());
  const std::string text = missing(required);
  INFO("no directed program exercises\n" << text);
  CHECK(text.empty());
}

TEST_CASE("directed programs execute every instruction in every slot and operand form") {
  check_covered(required_operation_bins());
}

TEST_CASE("directed programs meet every cause of a trap") { check_covered(required_trap_bins()); }

TEST_CASE("directed programs cover copies and neighbouring bundles") {
  check_covered(required_sequence_bins());
}

}  // namespace
}  // namespace tandem::directed
