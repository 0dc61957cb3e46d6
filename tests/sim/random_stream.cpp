#include "tests/sim/random_stream.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include "assembler/assembler.hpp"
#include "isa/encoding.hpp"

namespace tandem::test {
namespace {

constexpr const char* program_text = R"(
        .target nano
        .text
        .global start
start:  { s4 = mov 6 ; v1 = vlane }
        { v2 = vld [s4], stride=8 ; s5 = sld [4] }
        { vst [s4], v2, stride=2, rows=6 ; s4 = add s4, 8 }
loop:   { v3 = vadd.f32 v1, v2 ; v4 = vmul.f32 v1, v1 ; v5 = vld [s4] ; mxpush 0, v1.f32 }
        { mxmul.bf16 a1, v1.f32, rows=5, swap ; v6 = exp2 v1 }
        { mxmul.bf16 a2, v1.f32 ; v7 = lsum.f32 v2 }
        { v8 = mxread a1 ; marker 7 }
        copy [s0 + 16], s0, s0
        { wait f1, 1 ; v9 = vld [s4], rows=3 }
        { wait f2, 1 ; mxmul.bf16 a3, v1.f32, rows=2 }
        { s6 = sld [8] ; @p1 v10 = vld [s4] }
        { s4 = add s4, 1 ; @p1 wait f1, 1 }
        {}
        @p1 br loop
        halt
)";

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  // 0 .. bound - 1
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(engine_()) % bound; }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::mt19937 engine_;
};

class StreamMaker {
 public:
  explicit StreamMaker(std::uint32_t seed) : random_(seed) {}

  TimingRecording make_random(std::uint32_t bundles) {
    lose(StallCause::start, 5);
    for (std::uint32_t i = 0; i < bundles; ++i) issue(i, random_bundle());
    return finish();
  }

  // Rounds of one body, some with their copies and some without.
  TimingRecording make_loop(std::uint32_t bundles) {
    std::vector<Bundle> body(700 + random_.below(500));
    for (Bundle& bundle : body) bundle = random_bundle();
    lose(StallCause::start, 5);
    for (std::uint32_t i = 0; i < bundles; ++i) {
      Bundle bundle = body[i % body.size()];
      if (i / body.size() % 4 != 3) bundle.copy_cycles = 0;
      if (random_.one_in(5000)) bundle.stalls = {{StallCause::fetch, 1 + random_.below(20)}};
      issue(i, bundle);
    }
    return finish();
  }

 private:
  struct Bundle {
    std::uint32_t pc = 0;
    std::uint16_t enabled = 0;
    std::vector<std::pair<StallCause, std::uint64_t>> stalls;  // before it
    CopyIssue copy{};                                          // when it is one
    std::uint64_t copy_cycles = 0;
  };

  TimingRecording finish() {
    std::uint64_t end = cycle_;
    for (const auto& [cycle, sequence] : pending_dones_) {
      stream_.copy_dones.push_back({cycle, sequence});
      end = std::max(end, cycle + 1);
    }
    if (end != cycle_) lose(StallCause::drain, end - cycle_);
    for (const MemoryPath path :
         {MemoryPath::fetch, MemoryPath::copy_read, MemoryPath::copy_write}) {
      fill_beats(path);
    }
    stream_.ended(cycle_);
    return std::move(stream_);
  }

  void lose(StallCause cause, std::uint64_t count) {
    stream_.losses.push_back({cycle_, count, cause});
    cycle_ += count;
  }

  Bundle random_bundle() {
    Bundle bundle;
    for (std::uint32_t last = 0; random_.one_in(2);) {
      const std::uint32_t cause = 2 + random_.below(13);
      if (cause == last) continue;
      last = cause;
      const std::uint32_t most = random_.one_in(10) ? 500 : 12;
      bundle.stalls.emplace_back(static_cast<StallCause>(cause), 1 + random_.below(most));
    }
    bundle.pc = random_.below(static_cast<std::uint32_t>(timed_program().text.size()));
    bundle.enabled = enabled(bundle.pc);
    if (bundle.pc == 7 && bundle.enabled != 0) make_copy(bundle);
    return bundle;
  }

  void issue(std::uint32_t sequence, const Bundle& bundle) {
    for (const auto& [cause, count] : bundle.stalls) lose(cause, count);
    if (!stream_.issues.empty()) stream_.issues.back().next_pc = bundle.pc;
    stream_.issues.push_back(
        {cycle_, sequence, bundle.pc, bundle.pc + 1, bundle.enabled, false, {}});
    if (bundle.copy_cycles != 0) {
      stream_.copy_starts.push_back({cycle_, sequence, bundle.copy});
      pending_dones_.emplace(cycle_ + bundle.copy_cycles, sequence);
    }
    ++cycle_;
  }

  std::uint16_t enabled(std::uint32_t pc) {
    std::uint16_t bits = 0;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      const SlotBits operation = slot_bits(timed_program().text[pc], static_cast<Slot>(slot));
      const bool predicated = get_field(operation, predicate_field) != 0;
      if (!is_empty(operation) && !(predicated && random_.one_in(2))) bits |= 1U << slot;
    }
    return bits;
  }

  void make_copy(Bundle& bundle) {
    const std::uint32_t flag = 1 + random_.below(2);
    auto& words = bundle.copy.descriptor;
    words[0] = random_.below(3) << 8U | random_.below(3) << 10U | flag << 16U;
    words[6] = 4 * (1 + random_.below(100));
    for (const std::uint32_t word : {7, 10, 13}) words[word] = 1 + random_.below(3);
    bundle.copy.source = random_.below(1000);
    bundle.copy.destination = random_.below(1000);
    bundle.copy_cycles = 16 + random_.below(400);
  }

  void fill_beats(MemoryPath path) {
    for (std::uint64_t cycle = random_.below(60); cycle < cycle_;) {
      const std::uint64_t count = std::min<std::uint64_t>(1 + random_.below(250), cycle_ - cycle);
      stream_.beat_runs.push_back({cycle, count, path});
      cycle += count + 1 + random_.below(300);
    }
  }

  Random random_;
  TimingRecording stream_;
  std::uint64_t cycle_ = 0;
  std::multimap<std::uint64_t, std::uint64_t> pending_dones_;  // cycle, sequence
};

template <typename Event>
std::uint64_t begin(const Event& event) {
  if constexpr (requires { event.first; }) {
    return event.first;
  } else {
    return event.cycle;
  }
}

// Emits issues and lost cycles before `to` that were not emitted yet.
void give_issue_side(const TimingRecording& stream, std::array<std::size_t, 7>& next,
                     std::uint64_t to, TimingSink& sink) {
  while (true) {
    const std::uint64_t never = ~std::uint64_t{0};
    const bool more = next[0] < stream.issues.size();
    const bool lose = next[1] < stream.losses.size();
    const std::uint64_t issue = more ? stream.issues[next[0]].cycle : never;
    const std::uint64_t loss = lose ? stream.losses[next[1]].first : never;
    if ((!more && !lose) || std::min(issue, loss) >= to) return;
    if (more && issue <= loss) {  // a trap is decided in the first of the cycles that it drains
      sink.issued(stream.issues[next[0]++]);
    } else {
      sink.lost(stream.losses[next[1]++]);
    }
  }
}

// Emits events that begin before `to` and were not emitted yet.
template <typename Event, typename Give>
void give_some(const std::vector<Event>& events, std::size_t& next, std::uint64_t to, Give give) {
  while (next < events.size() && begin(events[next]) < to) give(events[next++]);
}

}  // namespace

const Image& timed_program() {
  static const Image image = [] {
    const SourceText source{"timed.s", program_text};
    LinkResult built = build({&source, 1});
    if (!built.ok()) throw std::runtime_error("timed.s: " + diagnostics_text(built.diagnostics));
    return make_image(built.program);
  }();
  return image;
}

TimingRecording random_stream(std::uint32_t seed, std::uint32_t bundles) {
  return StreamMaker(seed).make_random(bundles);
}

TimingRecording looping_stream(std::uint32_t seed, std::uint32_t bundles) {
  return StreamMaker(seed).make_loop(bundles);
}

void play(const TimingRecording& stream, TimingSink& sink, std::uint32_t seed) {
  Random random(seed);
  std::vector<MemoryBeats> paths[3];
  for (const MemoryBeats& run : stream.beat_runs) {
    paths[static_cast<std::size_t>(run.path)].push_back(run);
  }
  std::array<std::size_t, 7> next{};
  for (std::uint64_t cycle = 0; cycle < *stream.cycles; cycle += 1 + random.below(2000)) {
    // Every kind may be ahead by some cycles.
    const auto until = [&] { return cycle + random.below(1000); };
    give_some(stream.copy_dones, next[3], until(), [&](auto& e) { sink.copy_done(e); });
    for (std::size_t path = 0; path < 3; ++path) {
      give_some(paths[path], next[4 + path], until(), [&](auto& e) { sink.beats(e); });
    }
    give_some(stream.copy_starts, next[2], until(), [&](auto& e) { sink.copy_started(e); });
    give_issue_side(stream, next, until(), sink);
    sink.progress(cycle);
  }
  const std::uint64_t all = ~std::uint64_t{0};
  give_issue_side(stream, next, all, sink);
  give_some(stream.copy_starts, next[2], all, [&](auto& e) { sink.copy_started(e); });
  give_some(stream.copy_dones, next[3], all, [&](auto& e) { sink.copy_done(e); });
  for (std::size_t path = 0; path < 3; ++path) {
    give_some(paths[path], next[4 + path], all, [&](auto& e) { sink.beats(e); });
  }
  sink.progress(*stream.cycles);
  sink.ended(*stream.cycles);
}

}  // namespace tandem::test
