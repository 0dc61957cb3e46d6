#include "cosim/stream/stream_writer.hpp"

#include <libdeflate.h>

#include <cstring>

#include "cosim/foreign/part_words.hpp"

namespace tandem {
namespace {

constexpr std::size_t flush_words = 16 * 1024;

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); }

std::uint32_t trap_word(const Trap& trap) {
  return static_cast<std::uint32_t>(trap.cause) | static_cast<std::uint32_t>(trap.slot) << 8U;
}

std::uint32_t enabled_word(std::uint16_t enabled, bool halted) {
  return enabled | (halted ? 1U << 16U : 0);
}

std::vector<std::uint32_t> header_words(const StreamHeader& header) {
  const MemoryTimingParameters& m = header.memory;
  std::vector<std::uint32_t> words{stream_magic[0],
                                   stream_magic[1],
                                   stream_version,
                                   0,
                                   header.lanes,
                                   static_cast<std::uint32_t>(header.level),
                                   header.times ? 1U : 0U,
                                   header.seed,
                                   low(header.hbm_bytes),
                                   high(header.hbm_bytes),
                                   m.latency,
                                   m.row_miss,
                                   m.jitter,
                                   m.outstanding,
                                   m.seed,
                                   m.write_hold,
                                   m.beat,
                                   m.link_latency,
                                   m.link_rate,
                                   low(header.machine.size())};
  words.resize(stream_fixed_words + (header.machine.size() + 3) / 4);
  std::memcpy(words.data() + stream_fixed_words, header.machine.data(), header.machine.size());
  words[3] = low(words.size());
  return words;
}

}  // namespace

StreamWriter::StreamWriter(const Parameters& parameters, const StreamHeader& header, Output output)
    : parameters_(parameters), output_(std::move(output)) {
  add(header_words(header));
}

void StreamWriter::issue(const IssueEvent& event) {
  const std::uint32_t head[]{event.sequence,        event.pc,
                             event.next_pc,         enabled_word(event.enabled, event.halted),
                             trap_word(event.trap), event.trap.detail};
  this->event(RecordKind::issue, {head, event.bundle});
}

void StreamWriter::write(const WriteEvent& event) {
  const std::uint32_t head[]{
      event.sequence,
      static_cast<std::uint32_t>(event.slot) | static_cast<std::uint32_t>(event.space) << 8U |
          std::uint32_t{event.row} << 16U | (event.volatile_csr ? 1U << 24U : 0),
      event.index};
  const Words lanes = event.space == Space::vmem ? Words(event.lanes) : Words();
  this->event(RecordKind::write,
              {head, lanes, Words(event.data, data_words(event.space, parameters_))});
}

void StreamWriter::copy_issue(const CopyIssueEvent& event) {
  const CopyIssue& copy = event.copy;
  const std::uint32_t head[]{event.sequence};
  const std::uint32_t tail[]{low(copy.source), high(copy.source), low(copy.destination),
                             high(copy.destination)};
  this->event(RecordKind::copy_issue, {head, copy.descriptor, tail});
}

void StreamWriter::copy_done(const CopyDoneEvent& event) {
  const std::uint32_t head[]{event.sequence};
  this->event(RecordKind::copy_done, {head, event.words});
}

// ---- times ----

void StreamWriter::issued(const IssueTiming& event) {
  TimingEvent result{.kind = TimingKind::issue, .cycle = event.cycle, .sequence = event.sequence};
  result.pc = event.pc;
  result.next_pc = event.next_pc;
  result.enabled = event.enabled;
  result.halted = event.halted;
  result.trap = event.trap;
  timing(result);
}
void StreamWriter::lost(const LostCycles& event) {
  timing(
      {.kind = TimingKind::lost, .cause = event.cause, .cycle = event.first, .count = event.count});
}
void StreamWriter::copy_started(const CopyStart& event) {
  timing({.kind = TimingKind::copy_start, .cycle = event.cycle, .sequence = event.sequence});
}
void StreamWriter::copy_done(const CopyDone& event) {
  timing({.kind = TimingKind::copy_done, .cycle = event.cycle, .sequence = event.sequence});
}
void StreamWriter::beats(const MemoryBeats& event) {
  timing(
      {.kind = TimingKind::beats, .path = event.path, .cycle = event.first, .count = event.count});
}
void StreamWriter::marked(const MarkerTiming& event) {
  timing({.kind = TimingKind::marker,
          .code = event.code,
          .cycle = event.cycle,
          .sequence = event.sequence,
          .pc = event.pc,
          .counters = event.counters});
}
void StreamWriter::progress(std::uint64_t cycle) {
  timing({.kind = TimingKind::progress, .cycle = cycle});
}
void StreamWriter::ended(std::uint64_t cycles) {
  timing({.kind = TimingKind::ended, .cycle = cycles});
}

void StreamWriter::timing(const TimingEvent& event) {
  const std::uint32_t head[]{static_cast<std::uint32_t>(event.kind) |
                                 static_cast<std::uint32_t>(event.cause) << 8U |
                                 static_cast<std::uint32_t>(event.path) << 16U,
                             event.code,
                             low(event.cycle),
                             high(event.cycle),
                             low(event.count),
                             high(event.count),
                             low(event.sequence),
                             high(event.sequence),
                             event.pc,
                             event.next_pc,
                             enabled_word(event.enabled, event.halted),
                             trap_word(event.trap),
                             event.trap.detail};
  const std::vector<std::uint32_t> counters = event.kind == TimingKind::marker
                                                  ? counter_words(event.counters)
                                                  : std::vector<std::uint32_t>();
  record(RecordKind::timing, {head, counters});
}

// ---- the end ----

void StreamWriter::part(CorePart part, std::uint64_t first, Words words) {
  const std::uint32_t head[]{static_cast<std::uint32_t>(part), low(first), high(first)};
  event(RecordKind::part, {head, words});
}

void StreamWriter::end(std::uint32_t flags) {
  flush();
  const std::uint32_t words[]{flags | end_checksum, checksum_};
  record(RecordKind::end, {words});
  flush();
}

// ---- bytes ----

void StreamWriter::event(RecordKind kind, std::initializer_list<Words> parts) {
  if (cycle_ != written_cycle_) {
    const std::uint32_t cycle[]{low(cycle_), high(cycle_)};
    record(RecordKind::cycle, {cycle});
    written_cycle_ = cycle_;
  }
  record(kind, parts);
}

void StreamWriter::record(RecordKind kind, std::initializer_list<Words> parts) {
  std::size_t count = 0;
  for (const Words words : parts) count += words.size();
  const std::uint32_t head[]{static_cast<std::uint32_t>(kind) | low(count) << 8U};
  add(head);
  for (const Words words : parts) add(words);
}

void StreamWriter::add(Words words) {
  buffer_.insert(buffer_.end(), words.begin(), words.end());
  if (buffer_.size() >= flush_words) flush();
}

void StreamWriter::flush() {
  const std::string_view bytes(reinterpret_cast<const char*>(buffer_.data()), 4 * buffer_.size());
  checksum_ = libdeflate_crc32(checksum_, bytes.data(), bytes.size());
  output_(bytes);
  buffer_.clear();
}

}  // namespace tandem
