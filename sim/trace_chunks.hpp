// Chunks of bundles that come again. Loops issue the same bundles behind the same stalls over and
// over, so what thousands of bundles add to a trace is often what they added before: it is kept as
// it stands in the file, compressed, and written again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/issue_run.hpp"
#include "sim/trace_blocks.hpp"
#include "sim/trace_bundles.hpp"
#include "sim/trace_units.hpp"

namespace tandem::trace {

// Where chunks begin and end depends on the bundles alone: at bundles that carry flows, where an
// outer loop comes round, and where a chunk becomes too long.
class Chunks {
 public:
  Chunks(Bundles& bundles, Units& units, ByteSink sink);

  // What is in here comes in the file before the bundles that are added next.
  std::string& packets();

  // The next word; `cycle` is the first it tells of.
  void add(const IssueWord& word, std::uint64_t cycle) {
    if (word.is_bundle()) {
      if (is_end(word.pc())) close();
      if (last_pc_ == none) first_pc_ = word.pc();
      last_pc_ = word.pc();
      bundles_in_ = words_.size() + 1;
    }
    if (words_.empty()) cycle_ = cycle;
    words_.push_back(word);
  }
  // A bundle that no chunk can hold, since it traps or carries flows.
  void add_apart(const IssueTiming& event, const Flows& flows);
  // Writes everything so far.
  void flush();

  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  // So long that what a chunk says for the first time is little; in packets some 500 KB.
  static constexpr std::size_t least_words = 4096;
  static constexpr std::size_t most_words = 2 * least_words;
  static constexpr std::size_t most_kept_bytes = std::size_t{64} << 20U;
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  struct Chunk {
    std::vector<IssueWord> words;
    Units::Effect units;
    std::uint64_t cycles = 0;
    std::uint64_t events = 0;
    std::string bytes;  // of the file
  };

  // Behind a jump to where the chunk began, or before.
  [[nodiscard]] bool is_end(std::uint32_t pc) const {
    if (words_.size() < least_words || bundles_in_ != words_.size()) return false;
    return (pc <= last_pc_ && pc <= first_pc_) || words_.size() >= most_words;
  }
  void close();
  Chunk* find(std::uint64_t hash);
  void write_again(const Chunk& chunk);
  Chunk encode();
  void keep(std::uint64_t hash, Chunk chunk);
  void give_rest();
  void write(std::string_view bytes);

  Bundles& bundles_;
  Units& units_;
  ByteSink sink_;
  Blocks blocks_;
  std::vector<IssueWord> words_;  // of the chunk that is gathered
  std::size_t bundles_in_ = 0;    // of words_, up to the last bundle
  std::uint64_t cycle_ = 0;       // the first of words_
  std::uint64_t first_pc_ = none;
  std::uint64_t last_pc_ = none;                        // none: no bundle is in words_
  std::unordered_multimap<std::uint64_t, Chunk> kept_;  // by hash of the words
  std::size_t kept_bytes_ = 0;
  std::string* copy_ = nullptr;  // of what is written
  std::uint64_t bytes_written_ = 0;
};

}  // namespace tandem::trace
