#include "cosim/stream/stream_reader.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cosim/foreign/part_words.hpp"
#include "sim/memory/machine_timing.hpp"

namespace tandem {
namespace {

// Read at a time, so that a false length costs no memory.
constexpr std::size_t piece_words = 64 * 1024;
constexpr std::uint32_t known_flags = end_stopped | end_hbm_whole | end_checksum;

std::uint64_t pair_at(std::span<const std::uint32_t> words, std::size_t at) {
  return words[at] | std::uint64_t{words[at + 1]} << 32U;
}

// The used fields of a word: the others are 0.
constexpr std::uint32_t enabled_bits = 0x1ffffU;
constexpr std::uint32_t trap_bits = 0xffffU;
constexpr std::uint32_t write_bits = 0x1ffffffU;

constexpr std::size_t timing_words = 13;  // without a marker's counters
using TimingWords = std::array<std::uint32_t, timing_words>;

// Of each word of a timing event of this kind.
constexpr TimingWords timing_bits(TimingKind kind) {
  constexpr std::uint32_t all = ~0U;
  constexpr std::uint32_t cause = 0xff00U;
  constexpr std::uint32_t path = 0xff0000U;
  switch (kind) {
    case TimingKind::issue:
      return {0xff, 0, all, all, 0, 0, all, all, all, all, enabled_bits, trap_bits, all};
    case TimingKind::lost: return {0xff | cause, 0, all, all, all, all};
    case TimingKind::copy_start:
    case TimingKind::copy_done: return {0xff, 0, all, all, 0, 0, all, all};
    case TimingKind::beats: return {0xff | path, 0, all, all, all, all};
    case TimingKind::marker: return {0xff, all, all, all, 0, 0, all, all, all};
    case TimingKind::progress:
    case TimingKind::ended: return {0xff, 0, all, all};
  }
  return {0xff};
}

Trap trap_at(std::span<const std::uint32_t> words, std::size_t at) {
  return {static_cast<TrapCause>(words[at] & 0xffU), static_cast<Slot>((words[at] >> 8U) & 0xffU),
          words[at + 1]};
}

}  // namespace

void StreamReader::refuse(const std::string& what) const {
  throw StreamError{fmt::format("byte {}: {}", record_at_, what)};
}

void StreamReader::read(std::span<std::uint32_t> words) {
  std::uint8_t* const bytes = reinterpret_cast<std::uint8_t*>(words.data());
  const std::size_t count = input_({bytes, words.size_bytes()});
  bytes_ += count;
  if (count != words.size_bytes()) {
    throw StreamError{fmt::format("truncated: it ends after {} bytes, in what begins at byte {}",
                                  bytes_, record_at_)};
  }
}

// ---- the header ----

StreamReader::StreamReader(Input input) : input_(std::move(input)) { read_header(); }

void StreamReader::read_header() {
  words_.resize(stream_fixed_words);
  const auto words = std::span(words_);
  read(words.first(2));
  if (!std::equal(stream_magic.begin(), stream_magic.end(), words_.begin())) {
    refuse("no stream of events: it does not begin with TANDEMEV");
  }
  read(words.subspan(2, 1));
  if (words_[2] != stream_version) {
    refuse(fmt::format("the stream is of version {}, this program reads version {}", words_[2],
                       stream_version));
  }
  read(words.subspan(3));
  const std::size_t name_bytes = words_[19];
  if (words_[3] < stream_fixed_words || words_[3] > most_header_words || name_bytes == 0 ||
      (name_bytes + 3) / 4 != words_[3] - stream_fixed_words) {
    refuse(fmt::format("a header of {} words with a machine's name of {} bytes", words_[3],
                       name_bytes));
  }
  if (words_[5] > static_cast<std::uint32_t>(CheckLevel::final) || words_[6] > 1) {
    refuse(fmt::format("level {} and flags {:#x} are not known", words_[5], words_[6]));
  }
  const auto& w = words_;
  header_ = {{},
             w[4],
             static_cast<CheckLevel>(w[5]),
             w[6] == 1,
             w[7],
             pair_at(w, 8),
             {w[10], w[11], w[12], w[13], w[14], w[15], w[16], w[17], w[18]}};
  std::vector<std::uint32_t> name(words_[3] - stream_fixed_words);
  read(name);
  const std::string_view bytes(reinterpret_cast<const char*>(name.data()), 4 * name.size());
  header_.machine = bytes.substr(0, name_bytes);
  if (bytes.find_first_not_of('\0', name_bytes) != std::string_view::npos) {
    refuse("zeros follow the machine's name to a whole word");
  }
  checksum_ = libdeflate_crc32(0, words_.data(), 4 * words_.size());
  checksum_ = libdeflate_crc32(checksum_, name.data(), 4 * name.size());
}

// ---- records ----

void StreamReader::want(std::size_t least, std::size_t most) const {
  if (words_.size() >= least && words_.size() <= most) return;
  refuse(fmt::format("a record of {} words, where there are {}", words_.size(),
                     least == most ? std::to_string(least) : fmt::format("{} to {}", least, most)));
}

void StreamReader::unused(std::size_t word, std::uint32_t used) const {
  if ((words_[word] & ~used) == 0) return;
  refuse(fmt::format("word {} of the record is {:#x}: bits {:#x} mean nothing here", word + 1,
                     words_[word], words_[word] & ~used));
}

bool StreamReader::give_next(CoreCheck& check) {
  record_at_ = bytes_;
  const std::uint32_t before = checksum_;
  std::uint32_t head = 0;
  read({&head, 1});
  checksum_ = libdeflate_crc32(checksum_, &head, 4);
  words_.clear();
  for (std::size_t left = head >> 8U; left != 0;) {
    const std::size_t first = words_.size();
    const std::size_t count = std::min(left, piece_words);
    words_.resize(first + count);
    read(std::span(words_).subspan(first));
    left -= count;
  }
  checksum_ = libdeflate_crc32(checksum_, words_.data(), 4 * words_.size());
  const auto kind = static_cast<RecordKind>(head & 0xffU);
  try {
    if (kind == RecordKind::end) {
      give_end(check, before);
      return false;
    }
    give_record(check, kind);
  } catch (const BadEvent& bad) {
    refuse(bad.message);
  }
  return true;
}

void StreamReader::give_record(CoreCheck& check, RecordKind kind) {
  switch (kind) {
    case RecordKind::issue: return give_issue(check);
    case RecordKind::write: return give_write(check);
    case RecordKind::copy_issue: return give_copy_issue(check);
    case RecordKind::copy_done:
      want(1, most_record_words);
      return check.copy_done({words_[0], Words(words_).subspan(1)});
    case RecordKind::cycle: want(2, 2); return check.set_cycle(pair_at(words_, 0));
    case RecordKind::timing: return give_timing(check);
    case RecordKind::part: return give_part(check);
    case RecordKind::end: break;
  }
  refuse(fmt::format("{} is no kind of record", static_cast<unsigned>(kind)));
}

void StreamReader::give_issue(CoreCheck& check) const {
  want(6 + bundle_words, 6 + bundle_words);
  unused(3, enabled_bits);
  unused(4, trap_bits);
  IssueEvent event;
  event.sequence = words_[0];
  event.pc = words_[1];
  event.next_pc = words_[2];
  event.enabled = static_cast<std::uint16_t>(words_[3]);
  event.halted = (words_[3] >> 16U) != 0;
  event.trap = trap_at(words_, 4);
  std::copy_n(words_.begin() + 6, bundle_words, event.bundle.begin());
  check.issue(event);
}

void StreamReader::give_write(CoreCheck& check) const {
  want(4, most_record_words);
  unused(1, write_bits);
  WriteEvent event;
  event.sequence = words_[0];
  event.slot = static_cast<Slot>(words_[1] & 0xffU);
  event.space = static_cast<Space>((words_[1] >> 8U) & 0xffU);
  event.row = static_cast<std::uint8_t>(words_[1] >> 16U);
  event.volatile_csr = (words_[1] >> 24U) != 0;
  event.index = words_[2];
  std::size_t data = 3;
  if (event.space == Space::vmem) {
    want(data + event.lanes.size(), most_record_words);
    std::copy_n(words_.begin() + 3, event.lanes.size(), event.lanes.begin());
    data += event.lanes.size();
  }
  event.data = words_.data() + data;
  check.write(event, words_.size() - data);
}

void StreamReader::give_copy_issue(CoreCheck& check) const {
  want(5 + descriptor_words, 5 + descriptor_words);
  CopyIssueEvent event;
  event.sequence = words_[0];
  std::copy_n(words_.begin() + 1, descriptor_words, event.copy.descriptor.begin());
  event.copy.source = pair_at(words_, 1 + descriptor_words);
  event.copy.destination = pair_at(words_, 3 + descriptor_words);
  check.copy_issue(event);
}

void StreamReader::give_timing(CoreCheck& check) const {
  constexpr std::size_t fixed = timing_words;
  want(fixed, fixed + counter_word_count);
  TimingEvent event;
  event.kind = static_cast<TimingKind>(words_[0] & 0xffU);
  if (event.kind <= TimingKind::ended) {  // the check reports other kinds
    const TimingWords used = timing_bits(event.kind);
    for (std::size_t word = 0; word < used.size(); ++word) unused(word, used[word]);
  }
  event.cause = static_cast<StallCause>((words_[0] >> 8U) & 0xffU);
  event.path = static_cast<MemoryPath>((words_[0] >> 16U) & 0xffU);
  event.code = words_[1];
  event.cycle = pair_at(words_, 2);
  event.count = pair_at(words_, 4);
  event.sequence = pair_at(words_, 6);
  event.pc = words_[8];
  event.next_pc = words_[9];
  event.enabled = static_cast<std::uint16_t>(words_[10]);
  event.halted = (words_[10] >> 16U) != 0;
  event.trap = trap_at(words_, 11);
  if (event.kind == TimingKind::marker) {
    want(fixed + counter_word_count, fixed + counter_word_count);
    event.counters = counters_of(Words(words_).subspan(fixed));
  } else {
    want(fixed, fixed);
  }
  check.time(event);
}

void StreamReader::give_part(CoreCheck& check) const {
  want(4, most_record_words);
  if (words_[0] >= core_part_count) refuse(fmt::format("{} is no part of a core", words_[0]));
  check.tell(static_cast<CorePart>(words_[0]), pair_at(words_, 1), Words(words_).subspan(3));
}

void StreamReader::give_end(CoreCheck& check, std::uint32_t checksum) {
  want(2, 2);
  const std::uint32_t flags = words_[0];
  if ((flags & ~known_flags) != 0) refuse(fmt::format("flags {:#x} are not known", flags));
  if ((flags & end_checksum) != 0 && words_[1] != checksum) {
    refuse(fmt::format("the checksum is {:#010x}, the bytes before have {:#010x}: it is damaged",
                       words_[1], checksum));
  }
  std::uint8_t more = 0;
  if (input_({&more, 1}) != 0) refuse("something follows the end");
  stopped_ = (flags & end_stopped) != 0;
  if ((flags & end_hbm_whole) != 0) check.rest_of_hbm_is_unchanged();
  if (stopped_) {
    check.finish();
  } else {
    check.look();
  }
}

}  // namespace tandem
