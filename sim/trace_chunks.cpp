#include "sim/trace_chunks.hpp"

#include <algorithm>
#include <utility>

namespace tandem::trace {
namespace {

// Words are compared, too, so a few of them will do.
std::uint64_t hash_of(std::span<const IssueWord> words) {
  constexpr std::size_t step = 8;
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  std::uint64_t hash = words.size() * factor ^ words.back().bits();
  for (std::size_t i = 0; i < words.size(); i += step) {
    hash = (hash ^ words[i].bits()) * factor;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace

Chunks::Chunks(Bundles& bundles, Units& units, ByteSink sink)
    : bundles_(bundles),
      units_(units),
      sink_(std::move(sink)),
      blocks_([this](std::string_view bytes) { write(bytes); }) {}

void Chunks::write(std::string_view bytes) {
  if (copy_ != nullptr) *copy_ += bytes;
  bytes_written_ += bytes.size();
  sink_(bytes);
}

std::string& Chunks::packets() {
  close();
  return blocks_.packets();
}

Chunks::Chunk* Chunks::find(std::uint64_t hash) {
  const auto [begin, end] = kept_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    Chunk& chunk = entry->second;
    if (chunk.words.size() != bundles_in_ || !units_.are_as_before(chunk.units, cycle_)) continue;
    if (std::equal(chunk.words.begin(), chunk.words.end(), words_.begin())) return &chunk;
  }
  return nullptr;
}

// Lost cycles behind the last bundle belong to the next chunk.
void Chunks::close() {
  if (bundles_in_ == 0) return;
  const std::uint64_t hash = hash_of(std::span(words_).first(bundles_in_));
  std::uint64_t cycles = 0;
  if (const Chunk* known = find(hash)) {
    write_again(*known);
    cycles = known->cycles;
  } else {
    Chunk chunk = encode();
    cycles = chunk.cycles;
    keep(hash, std::move(chunk));
  }
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(bundles_in_));
  bundles_in_ = 0;
  cycle_ += cycles;
  last_pc_ = none;
}

void Chunks::write_again(const Chunk& chunk) {
  blocks_.flush();
  write(chunk.bytes);
  bundles_.issued_again(cycle_ + chunk.cycles, chunk.events, static_cast<std::uint32_t>(last_pc_));
  units_.apply(chunk.units, cycle_);
}

Chunks::Chunk Chunks::encode() {
  Chunk chunk;
  chunk.words.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(bundles_in_));
  for (const IssueWord& word : chunk.words) {
    if (word.is_bundle()) bundles_.introduce(blocks_.packets(), word.pc());
  }
  blocks_.flush();
  copy_ = &chunk.bytes;
  const std::uint64_t events = bundles_.events();
  units_.begin_effect(cycle_);
  std::uint64_t cycle = cycle_;
  for (const IssueWord& word : chunk.words) {
    if (word.lost() != 0) bundles_.lost({cycle, word.lost(), word.cause()});
    cycle += word.lost();
    if (!word.is_bundle()) continue;
    bundles_.issued(blocks_, {.cycle = cycle++, .pc = word.pc(), .enabled = word.enabled()}, {});
    blocks_.packets_added();
  }
  blocks_.flush();
  copy_ = nullptr;
  chunk.units = units_.end_effect();
  chunk.cycles = cycle - cycle_;
  chunk.events = bundles_.events() - events;
  return chunk;
}

// All of them go when there are too many: which are there depends on the bundles alone, too.
void Chunks::keep(std::uint64_t hash, Chunk chunk) {
  const std::size_t bytes = chunk.bytes.size() + chunk.words.size() * sizeof(IssueWord);
  if (kept_bytes_ + bytes > most_kept_bytes) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += bytes;
  kept_.emplace(hash, std::move(chunk));
}

// Lost cycles that no bundle has followed.
void Chunks::give_rest() {
  std::uint64_t cycle = cycle_;
  for (const IssueWord& word : words_) {
    bundles_.lost({cycle, word.lost(), word.cause()});
    cycle += word.lost();
  }
  words_.clear();
}

void Chunks::add_apart(const IssueTiming& event, const Flows& flows) {
  close();
  give_rest();
  bundles_.introduce(blocks_.packets(), event.pc);
  bundles_.issued(blocks_, event, flows);
}

void Chunks::flush() {
  close();
  give_rest();
  blocks_.flush();
}

}  // namespace tandem::trace
