#include "sim/trace/trace_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tandem::trace {
namespace {

// Nearly always all of them, up to the end of a chunk.
std::size_t equal_words(std::span<const IssueWord> a, std::span<const IssueWord> b) {
  static_assert(std::has_unique_object_representations_v<IssueWord>);
  const std::size_t count = std::min(a.size(), b.size());
  if (std::memcmp(a.data(), b.data(), count * sizeof(IssueWord)) == 0) return count;
  const auto [stop, other] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(stop - a.begin());
}

}  // namespace

Chunks::Chunks(Program& program, Bundles& bundles, Units& units, std::size_t memory, ByteSink sink)
    : program_(program),
      bundles_(bundles),
      units_(units),
      sink_(std::move(sink)),
      blocks_([this](std::string_view bytes) { blocks_bytes_ += bytes; }),
      memory_(memory) {}

void Chunks::write(std::string_view bytes) {
  if (bytes.empty()) return;
  bytes_written_ += bytes.size();
  sink_(bytes);
}

std::string Chunks::take_blocks() {
  blocks_.flush();
  return std::exchange(blocks_bytes_, {});
}

std::string& Chunks::packets() {
  close();
  return blocks_.packets();
}

// ---- the words of a chunk -----------------------------------------------------------------------

void Chunks::Gathered::add(const IssueWord& word) {
  words.push_back(word);
  if (!word.is_bundle()) return;
  if (bundles == 0) first_pc = word.pc();
  last_pc = word.pc();
  bundles = words.size();
}

// After a jump to the beginning of the chunk, or before it.
bool Chunks::ends_at(const IssueWord& word) const {
  if (!word.is_bundle()) return false;
  const std::size_t words = followed_ != nullptr ? position_ : gathered_.words.size();
  if (words < least_words) return false;
  const std::uint32_t first = followed_ != nullptr ? followed_->first_pc : gathered_.first_pc;
  const std::uint32_t last =
      followed_ != nullptr ? followed_->words.back().pc() : gathered_.last_pc;
  return (word.pc() <= first && word.pc() <= last) || words >= most_words;
}

void Chunks::add(const IssueWord& word, std::uint64_t cycle) {
  if (followed_ != nullptr && goes_on(word)) return;
  if (ends_at(word)) close();
  if (followed_ == nullptr && gathered_.words.empty()) {
    cycle_ = cycle;
    if (follow_from({}, word)) return;
  }
  gathered_.add(word);
}

// Whether the chunk that is followed, or another, continues like this. Else none is followed,
// unless the chunk ends here.
bool Chunks::goes_on(const IssueWord& word) {
  if (!is_whole() && followed_->words[position_] == word) {
    ++position_;
    pass_multiplies();
    return true;
  }
  if (is_whole() && ends_at(word)) return false;
  if (follow_from(std::span(followed_->words).first(position_), word)) return true;
  stop_following();
  return false;
}

bool Chunks::follow_from(std::span<const IssueWord> words, const IssueWord& word) {
  Chunk* const chunk = last_ != nullptr ? successor(*last_, words, word) : nullptr;
  if (chunk == nullptr) return false;
  followed_ = chunk;
  position_ = words.size() + 1;
  multiply_ = 0;
  pass_multiplies();
  return true;
}

void Chunks::stop_following() {
  for (std::size_t i = 0; i < position_; ++i) gathered_.add(followed_->words[i]);
  followed_ = nullptr;
}

// Those between where this was called last and the position.
std::span<const MultiplyIssue> Chunks::pass_multiplies() {
  const std::vector<MultiplyIssue>& multiplies = followed_->multiplies;
  const std::size_t first = multiply_;
  while (multiply_ < multiplies.size() && multiplies[multiply_].word < position_) ++multiply_;
  return std::span(multiplies).subspan(first, multiply_ - first);
}

Chunks::Followed Chunks::follow(std::span<const IssueWord> words) {
  if (followed_ == nullptr) return {};
  const Chunk& chunk = *followed_;
  const auto next = std::lower_bound(chunk.stops.begin(), chunk.stops.end(), position_);
  const std::size_t end = next != chunk.stops.end() ? *next : chunk.words.size();
  const auto rest = std::span(chunk.words).subspan(position_, end - position_);
  const std::size_t count = equal_words(words, rest);
  if (count == 0) return {};
  position_ += count;
  return {count, cycle_, cycle_ + chunk.ends[position_ - 1], pass_multiplies()};
}

// ---- what they add to the trace -----------------------------------------------------------------

void Chunks::close() {
  if (followed_ != nullptr && is_whole() && units_.are_as_before(followed_->units, cycle_)) {
    write_again(*std::exchange(followed_, nullptr));
    return;
  }
  if (followed_ != nullptr) stop_following();
  if (gathered_.bundles != 0) close_gathered();
}

// Lost cycles after the last bundle belong to the next chunk.
void Chunks::close_gathered() {
  const auto words = std::span<const IssueWord>(gathered_.words).first(gathered_.bundles);
  if (Chunk* known = memory_.find(words, units_, cycle_)) {
    write_again(*known);
  } else {
    came(keep(encode(words)));
  }
  const std::vector<IssueWord> rest(
      gathered_.words.begin() + static_cast<std::ptrdiff_t>(gathered_.bundles),
      gathered_.words.end());
  gathered_ = {};
  for (const IssueWord& word : rest) gathered_.add(word);
}

void Chunks::write_again(Chunk& chunk) {
  write(take_blocks());
  write(chunk.bytes);
  bundles_.issued_again(cycle_ + chunk.cycles(), chunk.events, chunk.words.back().pc());
  units_.apply(chunk.units, cycle_);
  came(chunk);
}

Chunk& Chunks::keep(Chunk chunk) {
  if (!memory_.has_room_for(chunk)) {
    memory_.forget_all();
    last_ = nullptr;
  }
  return memory_.keep(std::move(chunk));
}

void Chunks::came(Chunk& chunk) {
  if (last_ != nullptr) came_behind(*last_, chunk);
  last_ = &chunk;
  cycle_ += chunk.cycles();
}

Chunk Chunks::encode(std::span<const IssueWord> words) {
  Chunk chunk;
  chunk.words.assign(words.begin(), words.end());
  look_up(chunk);
  write(take_blocks());
  const std::uint64_t events = bundles_.events();
  units_.begin_effect(cycle_);
  std::uint64_t cycle = cycle_;
  for (const IssueWord& word : words) {
    if (word.lost() != 0) bundles_.lost({cycle, word.lost(), word.cause()});
    cycle += word.lost();
    if (!word.is_bundle()) continue;
    bundles_.issued(blocks_, {.cycle = cycle++, .pc = word.pc(), .enabled = word.enabled()}, {});
    blocks_.packets_added();
  }
  chunk.bytes = take_blocks();
  write(chunk.bytes);
  chunk.units = units_.end_effect();
  chunk.events = bundles_.events() - events;
  return chunk;
}

void Chunks::look_up(Chunk& chunk) {
  chunk.first_pc = gathered_.first_pc;
  std::uint64_t cycle = 0;
  for (std::uint32_t i = 0; i < chunk.words.size(); ++i) {
    const IssueWord& word = chunk.words[i];
    if (word.is_bundle()) {
      bundles_.introduce(blocks_.packets(), word.pc());
      const BundleView& view = program_.view(word.pc());
      if ((word.enabled() & view.waits) != 0) chunk.stops.push_back(i);
      if ((word.enabled() & view.multiplies) != 0) {
        chunk.multiplies.push_back({cycle + word.lost(), i, view.multiply_rows});
      }
    } else {
      chunk.stops.push_back(i);
    }
    cycle += word.cycles();
    chunk.ends.push_back(cycle);
  }
}

// Lost cycles that no bundle has followed.
void Chunks::give_rest() {
  std::uint64_t cycle = cycle_;
  for (const IssueWord& word : gathered_.words) {
    bundles_.lost({cycle, word.lost(), word.cause()});
    cycle += word.lost();
  }
  gathered_ = {};
}

void Chunks::begin_apart(const LostCycles& lost) {
  close();
  give_rest();
  if (lost.count != 0) bundles_.lost(lost);
}

void Chunks::add_apart(const LostCycles& lost, const IssueTiming& event, const Flows& flows) {
  begin_apart(lost);
  bundles_.introduce(blocks_.packets(), event.pc);
  bundles_.issued(blocks_, event, flows);
}

void Chunks::add_trap(const LostCycles& lost, const IssueTiming& event) {
  begin_apart(lost);
  bundles_.trapped(blocks_.packets(), event);
}

void Chunks::flush() {
  close();
  give_rest();
  write(take_blocks());
}

}  // namespace tandem::trace
