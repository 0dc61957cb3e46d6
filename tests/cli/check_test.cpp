// tandem check, and the recordings of tandem lockstep for it.
#include <nlohmann/json.hpp>

#include "tests/cli/folder.hpp"
#include "tests/copying.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

struct Fixture {
  Fixture() {
    folder.write("k.s", "        .target nano" + copying_program());
    folder.write("other.s", "        .target small\n        { halt }\n");
  }

  Output run(const std::string& arguments) const {
    return folder.run(arguments + " --no-uninitialised-check");
  }
  // The verdict on a recorded run of the cycle-exact model.
  Output record(const std::string& options) const {
    return run("lockstep k.s --models golden,cycle --hbm 16M --record-events k.events" + options);
  }
  void refuses(const std::string& arguments, const std::string& part) const {
    const Output output = run(arguments);
    INFO(output.text);
    CHECK(output.status == 2);
    CHECK(output.text.find(part) != std::string::npos);
  }

  Folder folder;
};

}  // namespace

TEST_CASE("a recorded run is checked with the status and page of lockstep") {
  const Fixture here;
  REQUIRE(here.record("").status == 0);
  const Output good = here.run("check k.s --from k.events");
  INFO(good.text);
  CHECK(good.status == 0);
  CHECK(good.text.find("halted: no difference in") == 0);
  CHECK(good.text.find("not compared") == std::string::npos);

  const Output planted = here.record(" --plant write.data@5 --json 2>/dev/null");
  CHECK(planted.status == 1);
  const Output bad = here.run("check k.s --from k.events --json 2>/dev/null");
  CHECK(bad.status == 1);
  const auto expected = nlohmann::json::parse(planted.text);
  const auto got = nlohmann::json::parse(bad.text);
  CHECK(expected["record_events"] == "k.events");
  CHECK(got["outcome"] == expected["outcome"]);
  for (const char* member : {"field", "sequence", "cycle", "elements", "last_bundles"}) {
    CHECK(got["report"][member] == expected["report"][member]);
  }
}

TEST_CASE("check says what a level leaves out, and when there is no verdict") {
  const Fixture here;
  REQUIRE(here.record("").status == 0);
  const Output copies = here.run("check k.s --from k.events --level copies");
  INFO(copies.text);
  CHECK(copies.status == 0);
  CHECK(copies.text.find("not compared: bundles and what each writes\n") != std::string::npos);
  const Output limited = here.run("check k.s --from k.events --level final --limit 3");
  CHECK(limited.status == 1);
  CHECK(limited.text.find("undecided: the program has not ended after 3 bundles") == 0);

  REQUIRE(here.record(" --limit 20").status == 1);
  const Output cut = here.run("check k.s --from k.events");
  CHECK(cut.status == 1);
  CHECK(cut.text.find("the stream ends before the core stopped") != std::string::npos);
}

TEST_CASE("check and recordings refuse what makes no sense") {
  const Fixture here;
  REQUIRE(here.record("").status == 0);
  here.refuses("check k.s --from k.s", "byte 0: no stream of events");
  here.refuses("check k.s --from none", "none: cannot open");
  here.refuses("check other.s --from k.events", "machine 'nano' with 8 lanes");
  here.refuses("check --from k.events", "takes the program");
  here.refuses("check k.s --from k.events --hbm 16M", "--hbm is not for check");
  here.refuses("check k.s --from k.events --out y=y.npy", "--out is not for check");
  here.refuses("check k.s --from k.events --level most", "--level");
  here.refuses("lockstep k.s --record-events x --wave w.fst", "not go together with --wave");
  here.refuses("lockstep k.s --record-events k.s", "k.s");
}
