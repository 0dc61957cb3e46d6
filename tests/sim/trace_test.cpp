// Perfetto traces, decoded with Perfetto's own schema and compared with the events they are made
// of.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "isa/golden/copy.hpp"
#include "isa/text/source_place.hpp"
#include "isa/text/text.hpp"
#include "sim/events/timing_background.hpp"
#include "sim/events/timing_order.hpp"
#include "sim/trace/trace_encoder.hpp"
#include "tests/sim/random_stream.hpp"
#include "tests/sim/trace_decoder.hpp"

using namespace tandem;        // NOLINT: a test file
using namespace tandem::test;  // NOLINT: a test file

namespace {

constexpr std::uint64_t open_end = ~std::uint64_t{0};

struct Written {
  std::string file;
  std::uint64_t events = 0;
};

Written write_trace(const TimingRecording& stream, const CycleWindow& window = {},
                    std::uint32_t interleaving = 1,
                    std::size_t memory = trace::ChunkMemory::default_bytes) {
  Written written;
  const auto sink = [&](std::string_view bytes) { written.file += bytes; };
  trace::Encoder encoder(timed_program(), window, "", sink, memory);
  OrderedTiming ordered(encoder);
  play(stream, ordered, interleaving);
  encoder.finish();
  written.events = encoder.events();
  return written;
}

// Whether this much memory for repetitions gives the same packets as the usual amount.
bool same_with_memory(const TimingRecording& stream, std::size_t memory) {
  return packets_of(write_trace(stream, {}, 1, memory).file) ==
         packets_of(write_trace(stream).file);
}

DecodedTrace traced(const TimingRecording& stream, const CycleWindow& window = {}) {
  return decode_trace(write_trace(stream, window).file);
}

const std::string top = "Tandem nano";

std::string operation_at(std::uint32_t pc, Slot slot) {
  const Image& image = timed_program();
  return operation_text(*decode(slot, slot_bits(image.text[pc], slot)),
                        [&](std::uint32_t target) { return place_name(image, target); });
}

bool is_enabled(const IssueTiming& issue, Slot slot) {
  return ((issue.enabled >> static_cast<unsigned>(slot)) & 1U) != 0;
}

std::uint32_t pc_of(const TimingRecording& stream, std::uint64_t sequence) {
  return stream.issues.at(sequence).pc;
}

// The sum over slices of a track of their cycles, by name.
std::map<std::string, std::uint64_t> cycles_by_name(const std::vector<DecodedEvent>& slices) {
  std::map<std::string, std::uint64_t> sums;
  for (const DecodedEvent& slice : slices) sums[slice.name] += slice.end - slice.begin;
  return sums;
}

// The sum of the counter track, with each value valid until the next.
std::uint64_t counter_sum(const DecodedTrace& trace, const std::string& name,
                          std::uint64_t cycles) {
  const auto& values = trace.counters.at(trace.track("use", name));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t next =
        i + 1 < values.size() ? values[i + 1].first : (cycles + 99) / 100 * 100;
    REQUIRE(values[i].first % 100 == 0);
    sum += static_cast<std::uint64_t>(values[i].second) * (next - values[i].first) / 100;
  }
  return sum;
}

}  // namespace

TEST_CASE("each bundle is a slice of one cycle on the issue track, with its label and line") {
  const TimingRecording stream = GENERATE(random_stream(1, 2000), looping_stream(1, 12000));
  const DecodedTrace trace = traced(stream);
  const auto slices = trace.slices_on(trace.track(top, "issue"));
  REQUIRE(slices.size() == stream.issues.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const IssueTiming& issue = stream.issues[i];
    REQUIRE(slices[i].begin == issue.cycle);
    REQUIRE(slices[i].end == issue.cycle + 1);
    REQUIRE(slices[i].name == place_name(timed_program(), issue.pc));
    REQUIRE(slices[i].function == slices[i].name);
    REQUIRE(slices[i].file == "timed.s");
    REQUIRE(slices[i].line == find_source(timed_program(), issue.pc)->line);
  }
}

TEST_CASE("each enabled operation is a slice on its slot's track") {
  const TimingRecording stream = GENERATE(random_stream(2, 2000), looping_stream(2, 12000));
  const DecodedTrace trace = traced(stream);
  for (std::size_t i = 0; i < slot_count; ++i) {
    const auto slot = static_cast<Slot>(i);
    const auto slices = trace.slices_on(trace.track("slots", std::string(slot_name(slot))));
    std::size_t next = 0;
    for (const IssueTiming& issue : stream.issues) {
      if (!is_enabled(issue, slot)) continue;
      REQUIRE(next < slices.size());
      REQUIRE(slices[next].begin == issue.cycle);
      REQUIRE(slices[next].end == issue.cycle + 1);
      REQUIRE(slices[next].name == operation_at(issue.pc, slot));
      ++next;
    }
    REQUIRE(next == slices.size());
  }
}

TEST_CASE("stalls add up to the lost cycles of each cause and stand at the bundle that waits") {
  const TimingRecording stream = GENERATE(random_stream(3, 2000), looping_stream(3, 12000));
  const DecodedTrace trace = traced(stream);
  const auto slices = trace.slices_on(trace.track(top, "stalls"));
  std::map<std::string, std::uint64_t> lost;
  for (const LostCycles& run : stream.losses) {
    lost[std::string(stall_causes()[static_cast<std::size_t>(run.cause)].name)] += run.count;
  }
  CHECK(cycles_by_name(slices) == lost);
  for (const DecodedEvent& slice : slices) {
    const auto next = std::find_if(stream.issues.begin(), stream.issues.end(),
                                   [&](const IssueTiming& i) { return i.cycle >= slice.end; });
    const IssueTiming& bundle = next == stream.issues.end() ? stream.issues.back() : *next;
    REQUIRE(slice.function == place_name(timed_program(), bundle.pc));
  }
}

TEST_CASE("issue and stalls together cover every cycle of a run once") {
  const TimingRecording stream = GENERATE(random_stream(4, 2000), looping_stream(4, 12000));
  const DecodedTrace trace = traced(stream);
  std::uint64_t cycles = 0;
  for (const char* name : {"issue", "stalls"}) {
    for (const DecodedEvent& slice : trace.slices_on(trace.track(top, name))) {
      cycles += slice.end - slice.begin;
    }
  }
  CHECK(cycles == *stream.cycles);
}

TEST_CASE("units are busy from the issue for as long as isa/timing.def says") {
  const TimingRecording stream = GENERATE(random_stream(5, 2000), looping_stream(5, 12000));
  const DecodedTrace trace = traced(stream);
  struct Expected {
    const char* track;
    std::uint32_t pc;
    Slot slot;
    std::uint64_t cycles;
  };
  for (const Expected& unit :
       {Expected{"load", 1, Slot::ld, 8}, Expected{"load", 3, Slot::ld, 1},
        Expected{"store", 2, Slot::st, 2}, Expected{"MXU push", 3, Slot::mx, 2},
        Expected{"MXU multiply", 4, Slot::mx, 5}, Expected{"MXU multiply", 5, Slot::mx, 8},
        Expected{"MXU multiply", 9, Slot::mx, 2}, Expected{"MXU read", 6, Slot::mx, 1},
        Expected{"EUP", 4, Slot::xu, 4}, Expected{"XLU", 5, Slot::xu, 4}}) {
    const auto slices = trace.slices_on(trace.track("units", unit.track));
    std::size_t found = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::uint64_t next = i + 1 < slices.size() ? slices[i + 1].begin : open_end;
      if (slices[i].name != operation_at(unit.pc, unit.slot)) continue;
      ++found;
      REQUIRE(slices[i].end == std::min(slices[i].begin + unit.cycles, next));
    }
    const auto issued = std::count_if(
        stream.issues.begin(), stream.issues.end(),
        [&](const IssueTiming& i) { return i.pc == unit.pc && is_enabled(i, unit.slot); });
    INFO(unit.track << " pc " << unit.pc);
    CHECK(found == static_cast<std::size_t>(issued));
    CHECK(found > 0);
  }
}

TEST_CASE("each copy is a slice from its issue to its completion with its bytes") {
  const TimingRecording stream = GENERATE(random_stream(6, 3000), looping_stream(6, 12000));
  const DecodedTrace trace = traced(stream);
  std::map<std::uint64_t, DecodedEvent> by_begin;
  for (const DecodedEvent& slice : trace.slices) {
    if (trace.tracks.at(slice.track).name == "copy") by_begin[slice.begin] = slice;
  }
  std::map<std::uint64_t, std::uint64_t> ends;
  for (const CopyDone& done : stream.copy_dones) ends[done.sequence] = done.cycle;
  REQUIRE(stream.copy_starts.size() > 50);
  REQUIRE(by_begin.size() == stream.copy_starts.size());
  for (const CopyStart& start : stream.copy_starts) {
    const DecodedEvent& slice = by_begin.at(start.cycle);
    const auto& words = start.copy.descriptor;
    REQUIRE(slice.end == ends.at(start.sequence));
    REQUIRE(slice.numbers.at("bytes") ==
            std::uint64_t{words[6]} * words[7] * words[10] * words[13]);
    REQUIRE(slice.numbers.at("source") == start.copy.source);
    REQUIRE(slice.numbers.at("destination") == start.copy.destination);
    REQUIRE(slice.numbers.at("flag") == (words[0] >> 16U & 0xffU));
    REQUIRE(slice.function == place_name(timed_program(), pc_of(stream, start.sequence)));
  }
}

TEST_CASE("a flow leads from a copy to the first wait for its flag and on to the first reader") {
  const TimingRecording stream = GENERATE(random_stream(7, 3000), looping_stream(7, 12000));
  const DecodedTrace trace = traced(stream);
  std::map<std::uint64_t, std::vector<DecodedEvent>> by_flow;
  for (const DecodedEvent& slice : trace.slices) {
    for (const std::uint64_t flow : slice.flows) by_flow[flow].push_back(slice);
  }
  std::map<std::uint64_t, std::uint64_t> done;
  for (const CopyDone& copy : stream.copy_dones) done[copy.sequence] = copy.cycle;
  std::set<std::uint64_t> copy_cycles;
  for (const CopyStart& start : stream.copy_starts) copy_cycles.insert(start.cycle);
  std::size_t complete = 0;
  REQUIRE(by_flow.size() == stream.copy_starts.size());
  std::size_t number = 0;
  for (const CopyStart& start : stream.copy_starts) {
    auto& slices = std::next(by_flow.begin(), static_cast<std::ptrdiff_t>(number++))->second;
    std::sort(slices.begin(), slices.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    REQUIRE(slices[0].begin == start.cycle);
    const std::uint32_t flag = start.copy.descriptor[0] >> 16U & 0xffU;
    const auto space = static_cast<golden::MemorySpace>(start.copy.descriptor[0] >> 10U & 3U);
    const std::string wait = fmt::format("wait f{}, 1", flag);
    const auto waiting =
        std::find_if(stream.issues.begin(), stream.issues.end(), [&](const IssueTiming& issue) {
          return issue.cycle > done[start.sequence] && is_enabled(issue, Slot::dma) &&
                 operation_at(issue.pc, Slot::dma).find(wait) != std::string::npos;
        });
    if (waiting == stream.issues.end()) {
      REQUIRE(slices.size() == 1);
      continue;
    }
    REQUIRE(slices[1].begin == waiting->cycle);
    REQUIRE(slices[1].track == trace.track("slots", "dma"));
    const auto reads = [&](const IssueTiming& issue) {
      const bool copies = copy_cycles.count(issue.cycle) != 0;
      const bool sld = issue.pc == 1 || issue.pc == 10;
      switch (space) {
        case golden::MemorySpace::hbm: return false;
        case golden::MemorySpace::smem: return copies || (sld && is_enabled(issue, Slot::sb));
        case golden::MemorySpace::vmem: break;
      }
      const auto from = std::find_if(stream.copy_starts.begin(), stream.copy_starts.end(),
                                     [&](const CopyStart& c) { return c.cycle == issue.cycle; });
      const bool from_vmem = copies && (from->copy.descriptor[0] >> 8U & 3U) == 1;
      return from_vmem || is_enabled(issue, Slot::ld);
    };
    const auto user = std::find_if(waiting + 1, stream.issues.end(), reads);
    if (user == stream.issues.end()) {
      REQUIRE(slices.size() == 2);
      continue;
    }
    REQUIRE(slices.size() == 3);
    REQUIRE(slices[2].begin == user->cycle);
    REQUIRE(slices[2].track == trace.track(top, "issue"));
    REQUIRE(slices[2].terminating.size() >= 1);
    ++complete;
  }
  CHECK(complete > 20);
}

TEST_CASE("counters add up to the rows and beats of the run") {
  const TimingRecording stream = GENERATE(random_stream(8, 3000), looping_stream(8, 12000));
  const DecodedTrace trace = traced(stream);
  std::uint64_t rows = 0;
  for (const IssueTiming& issue : stream.issues) {
    if (issue.pc == 4 && is_enabled(issue, Slot::mx)) rows += 5;
    if (issue.pc == 5 && is_enabled(issue, Slot::mx)) rows += 8;
    if (issue.pc == 9 && is_enabled(issue, Slot::mx)) rows += 2;
  }
  CHECK(counter_sum(trace, "MXU rows", *stream.cycles) == rows);
  const std::array<const char*, 3> names{"fetch beats", "copy read beats", "copy write beats"};
  for (std::size_t path = 0; path < names.size(); ++path) {
    std::uint64_t beats = 0;
    for (const MemoryBeats& run : stream.beat_runs) {
      if (static_cast<std::size_t>(run.path) == path) beats += run.count;
    }
    INFO(names[path]);
    CHECK(counter_sum(trace, names[path], *stream.cycles) == beats);
  }
}

TEST_CASE("markers are instants with their number") {
  const TimingRecording stream = GENERATE(random_stream(9, 1000), looping_stream(9, 12000));
  const DecodedTrace trace = traced(stream);
  std::vector<std::uint64_t> cycles;
  for (const DecodedEvent& event : trace.instants) {
    if (event.name == "marker 7") {
      REQUIRE(event.numbers.at("code") == 7);
      cycles.push_back(event.begin);
    }
  }
  std::vector<std::uint64_t> expected;
  for (const IssueTiming& issue : stream.issues) {
    if (issue.pc == 6 && is_enabled(issue, Slot::sa)) expected.push_back(issue.cycle);
  }
  CHECK(cycles == expected);
  CHECK(!expected.empty());
}

TEST_CASE("a trap is an instant in its cycle and issues nothing") {
  TimingRecording stream;
  stream.lost({0, 3, StallCause::start});
  stream.lost({3, 4, StallCause::drain});
  IssueTiming trap{3, 0, 2, 2, 0x7f, false, {}};
  trap.trap = {TrapCause::address_range, Slot::ld, 9};
  stream.issued(trap);
  stream.ended(7);
  const DecodedTrace trace = traced(stream);
  CHECK(trace.slices_on(trace.track(top, "issue")).empty());
  const auto found = std::find_if(trace.instants.begin(), trace.instants.end(),
                                  [](const auto& e) { return e.name == "trap address_range"; });
  REQUIRE(found != trace.instants.end());
  CHECK(found->begin == 3);
  CHECK(found->function == "start+2");
  CHECK(cycles_by_name(trace.slices_on(trace.track(top, "stalls"))) ==
        std::map<std::string, std::uint64_t>{{"start", 3}, {"drain", 4}});
}

TEST_CASE("a trap may come before any bundle, outside of the text") {
  TimingRecording stream;
  const auto pc = static_cast<std::uint32_t>(timed_program().text.size()) + 3;
  stream.lost({0, 3, StallCause::start});
  stream.lost({3, 1, StallCause::drain});
  stream.issued({3, 0, pc, pc, 0, false, {TrapCause::jump_range, Slot::sa, pc}});
  stream.ended(4);
  const DecodedTrace trace = traced(stream);
  const auto found = std::find_if(trace.instants.begin(), trace.instants.end(),
                                  [](const auto& e) { return e.name == "trap jump_range"; });
  REQUIRE(found != trace.instants.end());
  CHECK(found->begin == 3);
  CHECK(found->function.empty());
}

TEST_CASE("the same events in another interleaving give the same file") {
  const TimingRecording stream = random_stream(10, 5000);
  const std::string first = write_trace(stream, {}, 1).file;
  for (std::uint32_t interleaving = 2; interleaving < 6; ++interleaving) {
    CHECK(write_trace(stream, {}, interleaving).file == first);
  }
}

TEST_CASE("a trace written in the background is the same file") {
  const TimingRecording stream = random_stream(11, 50'000);
  std::string file;
  trace::Encoder encoder(timed_program(), {}, "", [&](std::string_view bytes) { file += bytes; });
  OrderedTiming ordered(encoder);
  BackgroundTiming background(ordered);
  play(stream, background, 3);
  background.finish();
  encoder.finish();
  CHECK(file == write_trace(stream).file);
}

TEST_CASE("the memory for what comes again changes nothing but time") {
  const TimingRecording stream = looping_stream(14, 100'000);
  CHECK(same_with_memory(stream, 0));
  CHECK(same_with_memory(stream, 200'000));
}

TEST_CASE("what comes again shows how long units have been busy") {
  // Rounds that differ in nothing but how long the load before them takes, and since when.
  TimingRecording stream;
  std::uint64_t cycle = 0;
  std::uint64_t sequence = 0;
  const auto issue = [&](std::uint32_t pc, std::uint16_t enabled) {
    stream.issued({cycle++, sequence++, pc, 0, enabled, false, {}});
  };
  const std::uint16_t load = 1U << static_cast<unsigned>(Slot::ld);
  for (int round = 0; round < 9; ++round) {
    issue(round % 3 == 0 ? 3 : 1, load);  // one row, or eight
    stream.lost({cycle, round % 3 == 2 ? 5U : 1U, StallCause::fetch});
    cycle += round % 3 == 2 ? 5 : 1;
    for (int i = 0; i < 5000; ++i) issue(i % 50 == 0 ? 1 : 11, i % 50 == 0 ? load : 0);
  }
  for (IssueTiming& event : stream.issues) {
    const std::uint64_t next = event.sequence + 1;
    if (next < stream.issues.size()) event.next_pc = stream.issues[next].pc;
  }
  stream.ended(cycle);
  CHECK(same_with_memory(stream, 0));
}

TEST_CASE("a run without end is written as it goes on, whatever is lost before its bundles") {
  std::size_t written = 0;
  trace::Encoder encoder(timed_program(), {}, "",
                         [&](std::string_view bytes) { written += bytes.size(); });
  OrderedTiming ordered(encoder);
  const std::size_t before = written;
  std::uint64_t cycle = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    ordered.lost({cycle, 1, StallCause::branch});
    ordered.lost({cycle + 1, 2, StallCause::eup});
    cycle += 3;
    ordered.issued({cycle++, i, 11, 11, 0, false, {}});
    ordered.progress(cycle);
  }
  CHECK(written > before);
  encoder.finish();
}

TEST_CASE("a stall behind a chunk that came again stands at its last bundle") {
  TimingRecording stream;
  std::uint64_t cycle = 0;
  for (std::uint64_t i = 0; i < 30000; ++i) {
    const auto pc = static_cast<std::uint32_t>(11 + i % 3);
    stream.issued({cycle++, i, pc, pc == 13 ? 11 : pc + 1, 0, false, {}});
  }
  stream.lost({cycle, 9, StallCause::drain});
  stream.ended(cycle + 9);
  const DecodedTrace trace = traced(stream);
  const auto stalls = trace.slices_on(trace.track(top, "stalls"));
  REQUIRE(stalls.size() == 1);
  CHECK(stalls[0].function == place_name(timed_program(), 13));
}

TEST_CASE("of a trap a window holds what is inside") {
  TimingRecording stream;
  stream.lost({0, 10, StallCause::start});
  stream.lost({10, 2, StallCause::drain});
  stream.issued({10, 0, 2, 2, 0x7f, false, {TrapCause::address_range, Slot::ld, 9}});
  stream.ended(12);
  const auto traps = [](const DecodedTrace& trace) {
    return std::count_if(trace.instants.begin(), trace.instants.end(),
                         [](const auto& e) { return e.name == "trap address_range"; });
  };
  using Cycles = std::map<std::string, std::uint64_t>;
  const auto stalls = [](const DecodedTrace& trace) {
    return cycles_by_name(trace.slices_on(trace.track(top, "stalls")));
  };
  const DecodedTrace before = traced(stream, {2, 7});
  CHECK(traps(before) == 0);
  CHECK(stalls(before) == Cycles{{"start", 5}});
  const DecodedTrace inside = traced(stream, {8, 12});
  CHECK(traps(inside) == 1);
  CHECK(stalls(inside) == Cycles{{"start", 2}, {"drain", 2}});
  const DecodedTrace behind = traced(stream, {11, 12});
  CHECK(traps(behind) == 0);
  CHECK(stalls(behind) == Cycles{{"drain", 1}});
}

TEST_CASE("a window that begins where a bundle waits shows the copies in flight first") {
  TimingRecording stream;
  CopyIssue copy;
  copy.descriptor[6] = 4;
  for (const std::uint32_t word : {7, 10, 13}) copy.descriptor[word] = 1;
  const std::uint16_t dma = 1U << static_cast<unsigned>(Slot::dma);
  stream.copy_started({0, 0, copy});
  stream.issued({0, 0, 7, 7, dma, false, {}});
  stream.lost({1, 20, StallCause::copy_queue});
  stream.copy_started({21, 1, copy});
  stream.issued({21, 1, 7, 8, dma, false, {}});
  stream.copy_done({30, 0});
  stream.copy_done({31, 1});
  stream.lost({22, 10, StallCause::drain});
  stream.ended(32);
  const DecodedTrace trace = traced(stream, {10, 32});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> copies;
  for (const DecodedEvent& slice : trace.slices) {
    if (trace.tracks.at(slice.track).name == "copy") copies.emplace_back(slice.begin, slice.end);
  }
  CHECK(copies == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 30}, {21, 31}});
}

TEST_CASE("what the writer throws in the background arrives at the end") {
  const TimingRecording stream = random_stream(11, 30'000);
  std::size_t room = 2000;
  trace::Encoder encoder(timed_program(), {}, "", [&room](std::string_view bytes) {
    if (bytes.size() > room) throw std::runtime_error("disk full");
    room -= bytes.size();
  });
  BackgroundTiming background(encoder);
  for (int i = 0; i < 40; ++i) {
    for (IssueTiming issue : stream.issues) {
      issue.cycle += static_cast<std::uint64_t>(i) * *stream.cycles;
      background.issued(issue);
    }
    background.progress(static_cast<std::uint64_t>(i) * *stream.cycles);
  }
  CHECK_THROWS_WITH(background.finish(), "disk full");
}

TEST_CASE("the writer counts the events that a reader finds") {
  const Written written = write_trace(random_stream(12, 5000));
  CHECK(decode_trace(written.file).events() == written.events);
}

TEST_CASE("a window holds what happens inside and the copies in flight at its beginning") {
  const TimingRecording stream = random_stream(13, 3000);
  const CopyStart& early = stream.copy_starts.at(stream.copy_starts.size() / 3);
  const CycleWindow window{early.cycle + 5, *stream.cycles / 2};
  const DecodedTrace trace = traced(stream, window);
  const auto bundles = trace.slices_on(trace.track(top, "issue"));
  std::size_t inside = 0;
  for (const IssueTiming& issue : stream.issues) inside += window.contains(issue.cycle) ? 1 : 0;
  CHECK(bundles.size() == inside);
  std::uint64_t cycles = bundles.size();
  for (const DecodedEvent& stall : trace.slices_on(trace.track(top, "stalls"))) {
    cycles += stall.end - stall.begin;
  }
  CHECK(cycles == window.end - window.first);
  std::map<std::uint64_t, std::uint64_t> done;
  for (const CopyDone& copy : stream.copy_dones) done[copy.sequence] = copy.cycle;
  std::set<std::uint64_t> expected;
  for (const CopyStart& copy : stream.copy_starts) {
    if (copy.cycle < window.end && done[copy.sequence] >= window.first) expected.insert(copy.cycle);
  }
  std::set<std::uint64_t> shown;
  for (const DecodedEvent& slice : trace.slices) {
    if (trace.tracks.at(slice.track).name == "copy") shown.insert(slice.begin);
  }
  CHECK(shown == expected);
  CHECK(shown.count(early.cycle) == 1);
}

TEST_CASE("a loop costs less than a byte an event") {
  TimingRecording stream;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    stream.lost({4 * i, 3, StallCause::mxu_multiply});
    stream.issued({4 * i + 3, i, 3 + static_cast<std::uint32_t>(i % 3), 4, 0x1ff, false, {}});
    stream.issues.back().enabled = i % 3 == 0 ? 0x5c : 0xc0;
  }
  stream.ended(200'000);
  const Written written = write_trace(stream);
  CHECK(written.file.size() < written.events);
}
