#include <catch2/catch.hpp>

#include "tests/cosim/host/host_scenarios.hpp"
#include "tests/cosim/presets.hpp"

TEST_CASE("what a host does to a machine has the effects that the registers promise") {
  if (!tandem::needs_rtl("nano")) return;
  for (const tandem::HostScenario& scenario : tandem::host_scenarios()) {
    INFO(scenario.name);
    CHECK(scenario.disagreement() == "");
  }
}
