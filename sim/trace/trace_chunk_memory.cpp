#include "sim/trace/trace_chunk_memory.hpp"

#include <algorithm>
#include <utility>

namespace tandem::trace {
namespace {

constexpr std::size_t most_successors = 8;

// Words are compared, too, so a few of them are enough.
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

std::size_t bytes_of(const Chunk& chunk) {
  return sizeof(chunk) + chunk.bytes.size() +
         chunk.words.size() * (sizeof(IssueWord) + sizeof(std::uint64_t)) +
         chunk.multiplies.size() * sizeof(MultiplyIssue) +
         chunk.stops.size() * sizeof(std::uint32_t);
}

}  // namespace

Chunk* ChunkMemory::find(std::span<const IssueWord> words, const Units& units,
                         std::uint64_t cycle) {
  const auto [begin, end] = chunks_.equal_range(hash_of(words));
  for (auto entry = begin; entry != end; ++entry) {
    Chunk& chunk = entry->second;
    if (std::ranges::equal(chunk.words, words) && units.are_as_before(chunk.units, cycle)) {
      return &chunk;
    }
  }
  return nullptr;
}

bool ChunkMemory::has_room_for(const Chunk& chunk) const {
  return bytes_ + bytes_of(chunk) <= most_bytes_;
}

Chunk& ChunkMemory::keep(Chunk chunk) {
  bytes_ += bytes_of(chunk);
  const std::uint64_t hash = hash_of(chunk.words);
  return chunks_.emplace(hash, std::move(chunk))->second;
}

void ChunkMemory::forget_all() {
  chunks_.clear();
  bytes_ = 0;
}

void came_behind(Chunk& chunk, Chunk& next) {
  std::vector<Chunk*>& successors = chunk.successors;
  if (!successors.empty() && successors.front() == &next) return;
  std::erase(successors, &next);
  if (successors.size() == most_successors) successors.pop_back();
  successors.insert(successors.begin(), &next);
}

Chunk* successor(const Chunk& chunk, std::span<const IssueWord> words, const IssueWord& last) {
  for (Chunk* next : chunk.successors) {
    const std::size_t count = words.size();
    if (next->words.size() <= count || next->words[count] != last) continue;
    if (std::equal(words.begin(), words.end(), next->words.begin())) return next;
  }
  return nullptr;
}

}  // namespace tandem::trace
