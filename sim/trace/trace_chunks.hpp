// Repeated chunks of bundles. Loops issue the same bundles after the same stalls over and over, so
// thousands of bundles often add the same data to a trace as before: it is kept as it is in the
// file, compressed, and written again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/trace/trace_blocks.hpp"
#include "sim/trace/trace_bundles.hpp"
#include "sim/trace/trace_chunk_memory.hpp"
#include "sim/trace/trace_program.hpp"

namespace tandem::trace {

// The boundaries of chunks depend on the bundles alone: at bundles that carry flows, at iterations
// of an outer loop, and where a chunk becomes too long.
class Chunks {
 public:
  // The words that follow() took.
  struct Followed {
    std::size_t words = 0;
    std::uint64_t chunk_cycle = 0;  // the first of the chunk
    std::uint64_t end = 0;          // after the last cycle of the words
    std::span<const MultiplyIssue> multiplies;
  };

  // Keeps about `memory` bytes of chunks.
  Chunks(Program& program, Bundles& bundles, Units& units, std::size_t memory, ByteSink sink);

  // The contents come in the file before the bundles that are added next.
  std::string& packets();

  // The next word; `cycle` is its first cycle.
  void add(const IssueWord& word, std::uint64_t cycle);
  // Adds the words that continue like an earlier chunk, but no bundle that waits for a flag and no
  // lost cycles alone. None of them may carry flows.
  Followed follow(std::span<const IssueWord> words);
  // A bundle that cannot be in a chunk because it carries flows or traps, and the cycles lost right
  // before it.
  void add_apart(const LostCycles& lost, const IssueTiming& event, const Flows& flows);
  void add_trap(const LostCycles& lost, const IssueTiming& event);
  // Writes everything so far.
  void flush();

  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  // Long enough that the new data at the start of a chunk is a small part; in packets some 500 KB.
  static constexpr std::size_t least_words = 4096;
  static constexpr std::size_t most_words = 2 * least_words;

  // Words that are in no chunk yet.
  struct Gathered {
    std::vector<IssueWord> words;
    std::size_t bundles = 0;     // of these words, up to the last bundle
    std::uint32_t first_pc = 0;  // of the first bundle,
    std::uint32_t last_pc = 0;   // of the last one

    void add(const IssueWord& word);
  };

  [[nodiscard]] bool ends_at(const IssueWord& word) const;
  [[nodiscard]] bool is_whole() const { return position_ == followed_->words.size(); }
  bool goes_on(const IssueWord& word);
  bool follow_from(std::span<const IssueWord> words, const IssueWord& word);
  void stop_following();
  std::span<const MultiplyIssue> pass_multiplies();
  void close();
  void close_gathered();
  void write_again(Chunk& chunk);
  Chunk encode(std::span<const IssueWord> words);
  void look_up(Chunk& chunk);
  Chunk& keep(Chunk chunk);
  void came(Chunk& chunk);
  void give_rest();
  void begin_apart(const LostCycles& lost);
  // Bytes of the file for all packets so far that are not written.
  std::string take_blocks();
  void write(std::string_view bytes);

  Program& program_;
  Bundles& bundles_;
  Units& units_;
  ByteSink sink_;
  Blocks blocks_;
  std::string blocks_bytes_;  // of blocks that are full
  ChunkMemory memory_;
  std::uint64_t cycle_ = 0;    // the first of the current chunk
  Chunk* followed_ = nullptr;  // the chunk that it equals so far, ...
  std::size_t position_ = 0;   // so many words,
  std::size_t multiply_ = 0;   // and so many multiplies,
  Gathered gathered_;          // ... or else its words
  Chunk* last_ = nullptr;      // the one before
  std::uint64_t bytes_written_ = 0;
};

}  // namespace tandem::trace
