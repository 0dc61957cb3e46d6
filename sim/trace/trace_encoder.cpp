#include "sim/trace/trace_encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tandem::trace {
namespace {

// Describes the tracks of the table; viewers keep its order.
std::string& with_tracks(std::string& out, std::string_view preset) {
  for (const TrackRow& row : tracks) {
    const std::string title = row.track == Track::machine ? fmt::format("{} {}", row.title, preset)
                                                          : std::string(row.title);
    put_track(out, uuid_of(row.track), title, row.parent, row.kind);
  }
  return out;
}

golden::MemorySpace source_space(const CopyStart& copy) {
  return golden::issued_copy(copy.copy).source.space;
}

void append(std::vector<std::uint64_t>& flows, const std::vector<std::uint64_t>& copies) {
  std::transform(copies.begin(), copies.end(), std::back_inserter(flows), flow_of);
}

}  // namespace

Encoder::Encoder(const Image& image, const CycleWindow& window, std::string_view title,
                 ByteSink sink, std::size_t memory)
    : window_(window),
      program_(image),
      units_(program_, with_tracks(preamble_, image.preset->name)),
      bundles_(program_, units_, preamble_),
      chunks_(program_, bundles_, units_, memory, sink),
      copies_(program_, preamble_),
      use_(program_, window.first, preamble_),
      others_(std::move(sink)),
      reached_(window.first) {
  const std::uint32_t name = program_.name_number("trace");
  std::string event = event_bytes(EventType::instant, uuid_of(Track::markers), name, 0);
  add_note(event, Note::format, format_version);
  add_note(event, Note::preset, image.preset->name);
  add_note(event, Note::window, title);
  bundles_.instant(preamble_, window.first, event, name);
  chunks_.packets() += preamble_;
  chunks_.flush();
}

void Encoder::lost(const LostCycles& event) {
  const IssueWord word = IssueWord::loss(event.count, event.cause);
  issue_run({.cycle = event.first, .end = event.first + event.count, .words = {&word, 1}});
}

void Encoder::issued(const IssueTiming& event) {
  const IssueWord word = IssueWord::bundle(event.pc, event.enabled);
  issue_run({.cycle = event.cycle,
             .end = event.cycle + (event.trap ? 0 : 1),
             .sequence = event.sequence,
             .next_pc = event.next_pc,
             .halted = event.halted,
             .trap = event.trap,
             .words = {&word, 1}});
}

void Encoder::issue_run(const IssueRun& run) {
  std::span<const IssueWord> words = run.words;
  if (run.trap) words = words.first(words.size() - 1);
  const bool inside = run.cycle >= window_.first && run.end <= window_.end;
  inside ? add_words(words, run.cycle) : add_clipped_words(words, run.cycle);
  if (run.trap) add_trap(run);
}

void Encoder::add_words(std::span<const IssueWord> words, std::uint64_t cycle) {
  if (!early_copies_.empty()) enter_window();
  while (!words.empty()) {
    // Bundles that continue like a chunk must not carry flows: chunks stop at waits, not at reads.
    const bool follows = !starting_copy_ && !copy_flows_.any_to_use();
    const Chunks::Followed followed = follows ? chunks_.follow(words) : Chunks::Followed{};
    if (followed.words != 0) {
      words = words.subspan(followed.words);
      cycle = followed.end;
      count(followed);
      continue;
    }
    const IssueWord& word = words.front();
    word.is_bundle() ? add_bundle(word, cycle) : chunks_.add(word, cycle);
    cycle += word.cycles();
    words = words.subspan(1);
  }
}

// The last word is a bundle.
void Encoder::count(const Chunks::Followed& followed) {
  for (const MultiplyIssue& multiply : followed.multiplies) {
    const std::uint64_t issue = followed.chunk_cycle + multiply.cycle;
    use_.reached(others_, issue);
    use_.busy(Track::use_mxu, issue, multiply.rows);
  }
  reached_ = followed.end - 1;
  use_.reached(others_, reached_);
}

void Encoder::add_clipped_words(std::span<const IssueWord> words, std::uint64_t cycle) {
  for (const IssueWord& word : words) {
    add_clipped(word, cycle);
    cycle += word.cycles();
  }
}

void Encoder::add_lost(const LostCycles& lost) {
  if (lost.count != 0) chunks_.add(IssueWord::loss(lost.count, lost.cause), lost.first);
}

LostCycles Encoder::lost_inside(const IssueWord& word, std::uint64_t cycle) const {
  LostCycles lost{cycle, word.lost(), word.cause()};
  return window_.clip(lost) ? lost : LostCycles{};
}

// For a word that crosses a border of the window, or is outside.
void Encoder::add_clipped(const IssueWord& word, std::uint64_t cycle) {
  const std::uint64_t issue = cycle + word.lost();
  const LostCycles lost = lost_inside(word, cycle);
  if (!word.is_bundle() || issue >= window_.end) {
    add_lost(lost);
  } else if (issue < window_.first) {
    issued_early(word.pc());
  } else {
    enter_window();
    add_bundle(IssueWord::bundle(word.pc(), word.enabled(), lost.count, lost.cause),
               issue - lost.count);
  }
}

void Encoder::add_bundle(const IssueWord& word, std::uint64_t cycle) {
  const BundleView& view = program_.view(word.pc());
  const std::uint64_t issue = cycle + word.lost();
  reached_ = issue;
  flows_.clear();
  if (copy_flows_.any()) collect_flows(word, view);
  if (flows_.empty()) {
    chunks_.add(word, cycle);
  } else {
    chunks_.add_apart({cycle, word.lost(), word.cause()},
                      {.cycle = issue, .pc = word.pc(), .enabled = word.enabled()}, flows_);
  }
  if ((word.enabled() & view.multiplies) != 0) {
    use_.busy(Track::use_mxu, issue, view.multiply_rows);
  }
  if (starting_copy_) start_copy(*starting_copy_, word.pc());
  starting_copy_.reset();
  use_.reached(others_, issue);
}

// The last word of the run.
void Encoder::add_trap(const IssueRun& run) {
  const IssueWord& word = run.words.back();
  const LostCycles lost = lost_inside(word, run.end - word.lost());
  starting_copy_.reset();
  if (!window_.contains(run.end)) return add_lost(lost);
  reached_ = run.end;
  chunks_.add_trap(lost, {.cycle = run.end, .pc = word.pc(), .trap = run.trap});
}

void Encoder::copy_started(const CopyStart& event) { starting_copy_ = event; }

// Uses come before waits: a bundle that waits for a copy is not its first use.
void Encoder::collect_flows(const IssueWord& word, const BundleView& view) {
  using golden::MemorySpace;
  if ((word.enabled() & view.reads_vmem) != 0)
    append(flows_.used, copy_flows_.used(MemorySpace::vmem));
  if ((word.enabled() & view.reads_smem) != 0)
    append(flows_.used, copy_flows_.used(MemorySpace::smem));
  if (starting_copy_ && source_space(*starting_copy_) == MemorySpace::vmem) {
    append(flows_.used, copy_flows_.used(MemorySpace::vmem));
  }
  if ((word.enabled() & view.waits) != 0) append(flows_.waited, copy_flows_.waited(view.flag));
}

void Encoder::issued_early(std::uint32_t pc) {
  if (starting_copy_) early_copies_[starting_copy_->sequence] = {*starting_copy_, pc};
  starting_copy_.reset();
}

void Encoder::enter_window() {
  for (const auto& [sequence, copy] : early_copies_) {
    start_copy(copy.start, copy.pc);
  }
  early_copies_.clear();
}

void Encoder::start_copy(const CopyStart& event, std::uint32_t pc) {
  copies_.started(others_.packets(), event, pc);
  others_.packets_added();
  copy_flows_.started(event.sequence, golden::issued_copy(event.copy));
}

void Encoder::copy_done(const CopyDone& event) {
  if (event.cycle < window_.first) {
    early_copies_.erase(event.sequence);
    return;
  }
  enter_window();
  if (event.cycle >= window_.end) return;
  copies_.done(others_.packets(), event);
  others_.packets_added();
  copy_flows_.done(event.sequence);
}

void Encoder::beats(const MemoryBeats& event) {
  MemoryBeats inside = event;
  if (!window_.clip(inside)) return;
  switch (inside.path) {
    case MemoryPath::fetch: use_.busy(Track::use_fetch, inside.first, inside.count); return;
    case MemoryPath::copy_read: use_.busy(Track::use_read, inside.first, inside.count); return;
    case MemoryPath::copy_write: use_.busy(Track::use_write, inside.first, inside.count); return;
  }
}

void Encoder::progress(std::uint64_t cycle) {
  reached_ = std::max(reached_, std::min(cycle, window_.end));
}

void Encoder::ended(std::uint64_t cycles) {
  reached_ = std::min(cycles, window_.end);
  if (cycles >= window_.first && cycles <= window_.end) cycles_ = cycles;
}

// The end of the run comes last, so that a file without it is known to be cut off.
void Encoder::finish() {
  use_.finish(others_, reached_);
  others_.flush();
  chunks_.flush();
  std::string& out = chunks_.packets();
  bundles_.finish(out);
  units_.finish(out);
  if (cycles_) {
    const std::uint32_t name = program_.name_number("end");
    std::string event = event_bytes(EventType::instant, uuid_of(Track::markers), name, 0);
    add_note(event, Note::cycles, *cycles_);
    bundles_.instant(out, *cycles_, event, name);
  }
  chunks_.flush();
}

std::uint64_t Encoder::events() const {
  return bundles_.events() + units_.events() + copies_.events() + use_.events();
}

}  // namespace tandem::trace
