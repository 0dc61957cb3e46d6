// Events in order of cycle, runs cut where a copy starts or completes.
#include "sim/events/timing_order.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

using namespace tandem;  // NOLINT: a test file

namespace {

// The events, in order.
struct Listing final : TimingSink {
  std::string text;

  void issued(const IssueTiming& event) override {
    text += fmt::format("{}:issue {} pc {} next {}{}{}\n", event.cycle, event.sequence, event.pc,
                        event.next_pc, event.halted ? " halted" : "", event.trap ? " trap" : "");
  }
  void lost(const LostCycles& event) override {
    text += fmt::format("{}:lost {}\n", event.first, event.count);
  }
  void copy_started(const CopyStart& event) override {
    text += fmt::format("{}:start {}\n", event.cycle, event.sequence);
  }
  void copy_done(const CopyDone& event) override {
    text += fmt::format("{}:done {}\n", event.cycle, event.sequence);
  }
  void beats(const MemoryBeats&) override {}
  void progress(std::uint64_t) override {}
  void ended(std::uint64_t cycles) override { text += fmt::format("{}:end\n", cycles); }
};

}  // namespace

TEST_CASE("a run is cut at copies, and its trap stays with the last bundle") {
  const IssueWord words[] = {IssueWord::bundle(3, 1), IssueWord::bundle(4, 1, 2, StallCause::fetch),
                             IssueWord::loss(7, StallCause::eup),
                             IssueWord::bundle(9, 1, 1, StallCause::drain)};
  IssueRun run{.cycle = 5, .end = 17, .sequence = 20, .next_pc = 9, .words = words};
  run.trap = {TrapCause::jump_range, Slot::sa, 1};
  Listing listing;
  OrderedTiming ordered(listing);
  ordered.copy_done({5, 1});
  ordered.copy_done({10, 20});
  ordered.copy_started({8, 21, {}});
  ordered.issue_run(run);
  ordered.ended(20);
  CHECK(listing.text ==
        "5:issue 20 pc 3 next 4\n"
        "5:done 1\n"
        "8:start 21\n"
        "6:lost 2\n"
        "8:issue 21 pc 4 next 9\n"
        "9:lost 7\n"
        "10:done 20\n"
        "16:lost 1\n"
        "17:issue 22 pc 9 next 9 trap\n"
        "20:end\n");
}

TEST_CASE("nothing is passed on before it is said to be complete") {
  Listing listing;
  OrderedTiming ordered(listing);
  ordered.issued({0, 0, 3, 4, 1, false, {}});
  ordered.lost({1, 4, StallCause::fetch});
  ordered.progress(3);
  CHECK(listing.text == "0:issue 0 pc 3 next 4\n");
  ordered.issued({5, 1, 4, 5, 1, true, {}});
  ordered.progress(5);
  CHECK(listing.text == "0:issue 0 pc 3 next 4\n");
  ordered.ended(6);
  CHECK(listing.text ==
        "0:issue 0 pc 3 next 4\n"
        "1:lost 4\n"
        "5:issue 1 pc 4 next 5 halted\n"
        "6:end\n");
}
