// Chunks of bundles, with everything that they add to a trace.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/events/issue_run.hpp"
#include "sim/trace/trace_units.hpp"

namespace tandem::trace {

// A multiply that issues.
struct MultiplyIssue {
  std::uint64_t cycle = 0;  // after the first of the chunk
  std::uint32_t word = 0;   // of the chunk
  std::uint32_t rows = 0;
};

struct Chunk {
  std::vector<IssueWord> words;  // the last is a bundle
  std::uint32_t first_pc = 0;    // of the first bundle
  // Data for readers that do not look at every word: for each word the cycle after it, counted from
  // the chunk's first; multiplies; words that need attention, which are bundles that wait for a
  // flag and lost cycles alone.
  std::vector<std::uint64_t> ends;
  std::vector<MultiplyIssue> multiplies;
  std::vector<std::uint32_t> stops;
  // Its effects.
  Units::Effect units;
  std::uint64_t events = 0;
  std::string bytes;  // of the file
  // Chunks that came after it, the last one first.
  std::vector<Chunk*> successors;

  [[nodiscard]] std::uint64_t cycles() const { return ends.back(); }
};

class ChunkMemory {
 public:
  static constexpr std::size_t default_bytes = std::size_t{64} << 20U;

  explicit ChunkMemory(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // One with these words whose packets are the same for the units' state in this cycle; nullptr if
  // there is none.
  Chunk* find(std::span<const IssueWord> words, const Units& units, std::uint64_t cycle);
  // False when all must be forgotten first; the set of chunks depends on the bundles alone.
  [[nodiscard]] bool has_room_for(const Chunk& chunk) const;
  // It stays where it is.
  Chunk& keep(Chunk chunk);
  void forget_all();

 private:
  std::size_t most_bytes_;
  std::unordered_multimap<std::uint64_t, Chunk> chunks_;  // by hash of the words
  std::size_t bytes_ = 0;
};

// `next` came after `chunk`.
void came_behind(Chunk& chunk, Chunk& next);
// One that came after `chunk` before and begins with these words; nullptr if there is none.
Chunk* successor(const Chunk& chunk, std::span<const IssueWord> words, const IssueWord& last);

}  // namespace tandem::trace
