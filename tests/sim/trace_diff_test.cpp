// Traces read back, and two of them compared.
#include <catch2/catch.hpp>

#include <numeric>

#include "sim/events/timing_order.hpp"
#include "sim/trace/trace_diff.hpp"
#include "sim/trace/trace_encoder.hpp"
#include "tests/sim/random_stream.hpp"

using namespace tandem;        // NOLINT: a test file
using namespace tandem::test;  // NOLINT: a test file

namespace {

std::string trace_of(const TimingRecording& stream) {
  std::string file;
  trace::Encoder encoder(timed_program(), {}, "", [&](std::string_view bytes) { file += bytes; });
  OrderedTiming ordered(encoder);
  play(stream, ordered, 1);
  encoder.finish();
  return file;
}

trace::Timeline timeline_of(const TimingRecording& stream) {
  return trace::read_timeline(trace_of(stream));
}

// Three bundles; the second waits `stall` cycles for `cause`.
TimingRecording short_run(std::uint64_t stall, StallCause cause) {
  TimingRecording stream;
  stream.issued({0, 0, 0, 1, 1, false, {}});
  if (stall != 0) stream.lost({1, stall, cause});
  stream.issued({1 + stall, 1, 3, 4, 0, false, {}});
  stream.issued({2 + stall, 2, 14, 15, 1, true, {}});
  stream.lost({3 + stall, 4, StallCause::drain});
  stream.ended(7 + stall);
  return stream;
}

const trace::Share& find(const std::vector<trace::Share>& shares, const std::string& name) {
  for (const trace::Share& share : shares) {
    if (share.name == name) return share;
  }
  throw std::runtime_error("no " + name);
}

}  // namespace

TEST_CASE("a timeline read back is the stream that was traced") {
  const TimingRecording stream = random_stream(21, 3000);
  const trace::Timeline timeline = timeline_of(stream);
  CHECK(timeline.preset == "nano");
  CHECK(timeline.ended);
  CHECK(timeline.cycles == *stream.cycles);
  std::size_t issues = 0;
  std::size_t losses = 0;
  for (const trace::Span& span : timeline.spans) {
    if (span.issued) {
      REQUIRE(span.first == stream.issues.at(issues++).cycle);
      REQUIRE(timeline.places[span.place].file == "timed.s");
    } else {
      const LostCycles& lost = stream.losses.at(losses++);
      REQUIRE(span.first == lost.first);
      REQUIRE(span.count == lost.count);
      REQUIRE(timeline.names[span.name] ==
              stall_causes()[static_cast<std::size_t>(lost.cause)].name);
    }
  }
  CHECK(issues == stream.issues.size());
  CHECK(losses == stream.losses.size());
}

TEST_CASE("equal runs do not part") {
  const trace::Timeline timeline = timeline_of(random_stream(22, 500));
  const trace::Difference difference = trace::compare(timeline, timeline, trace::GroupBy::line);
  CHECK_FALSE(difference.parting);
  CHECK(difference.before == difference.after);
  CHECK(trace::difference_text(difference, 10).find("no difference") != std::string::npos);
}

TEST_CASE("runs part in the first cycle in which they do not do the same") {
  const auto parting = [](const TimingRecording& a, const TimingRecording& b) {
    return trace::compare(timeline_of(a), timeline_of(b), trace::GroupBy::line).parting;
  };
  const auto longer =
      parting(short_run(5, StallCause::sync_wait), short_run(9, StallCause::sync_wait));
  REQUIRE(longer);
  CHECK(longer->cycle == 6);
  CHECK(longer->before == "issues loop (timed.s:8)");
  CHECK(longer->after == "sync_wait before loop (timed.s:8)");
  const auto cause = parting(short_run(5, StallCause::eup), short_run(5, StallCause::xlu));
  REQUIRE(cause);
  CHECK(cause->cycle == 1);
  CHECK(cause->before == "eup before loop (timed.s:8)");
  const auto none = parting(short_run(0, StallCause::eup), short_run(2, StallCause::xlu));
  REQUIRE(none);
  CHECK(none->cycle == 1);
  CHECK(none->before == "issues loop (timed.s:8)");
}

TEST_CASE("lost time is told by cause and by source line and adds up") {
  const trace::Difference difference =
      trace::compare(timeline_of(short_run(5, StallCause::sync_wait)),
                     timeline_of(short_run(9, StallCause::eup)), trace::GroupBy::line);
  CHECK(find(difference.causes, "sync_wait").lost() == -5);
  CHECK(find(difference.causes, "eup").lost() == 9);
  CHECK(find(difference.causes, "issued").lost() == 0);
  const trace::Share& line = find(difference.places, "timed.s:8");
  CHECK(line.before == 6);
  CHECK(line.after == 10);
  CHECK(find(line.causes, "eup").after == 9);
  const auto sum = [](const std::vector<trace::Share>& shares) {
    return std::accumulate(shares.begin(), shares.end(), std::int64_t{0},
                           [](std::int64_t total, const auto& s) { return total + s.lost(); });
  };
  CHECK(sum(difference.causes) == 4);
  CHECK(sum(difference.places) == 4);
}

TEST_CASE("by label, bundles count for the label before them") {
  const trace::Difference difference =
      trace::compare(timeline_of(short_run(1, StallCause::eup)),
                     timeline_of(short_run(2, StallCause::eup)), trace::GroupBy::label);
  CHECK(find(difference.places, "start").before == 1);
  CHECK(find(difference.places, "loop").before == 1 + 1 + 1 + 4);
}

TEST_CASE("damaged and foreign files are refused, none crashes the reader") {
  const std::string file = trace_of(random_stream(23, 200));
  CHECK_THROWS_AS(trace::read_timeline(""), trace::ReadError);
  CHECK_THROWS_AS(trace::read_timeline("not a trace at all"), trace::ReadError);
  for (std::size_t length = 1; length < file.size(); ++length) {
    try {
      const bool ended = trace::read_timeline(file.substr(0, length)).ended;
      CHECK_FALSE(ended);  // cut after a block
    } catch (const trace::ReadError&) {
      continue;
    }
  }
  const trace::Timeline whole = trace::read_timeline(file);
  for (std::size_t at = 0; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    try {
      // Bits between the last code and the check sum mean nothing.
      const trace::Timeline timeline = trace::read_timeline(damaged);
      if (!timeline.ended) continue;  // its last block is not there
      CHECK(timeline.cycles == whole.cycles);
      CHECK(timeline.spans.size() == whole.spans.size());
    } catch (const trace::ReadError&) {
      continue;
    }
  }
}
