// Choices that a search has found best, kept in a file between compilations.
//
//   tandem tuning cache 1
//   program 3f1c...  small  9b27...      digests of the program and of the compiler
//   cycles 1409 1377                     by the models of cost, and with these choices
//   choice contraction.columns#0 2
//   end
//
// The file is a function of its entries: they stand in order. Whoever writes holds a lock beside
// the file, reads it again, and puts the new one in its place by renaming, so readers need no lock
// and processes lose nothing of each other's.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "compiler/contract/choices.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// What an entry is for. An entry for another compiler, machine or program is never used.
struct TuningKey {
  std::string program;  // digest of its text at the level `stablehlo`, without names of files
  std::string preset;
  std::string compiler;  // digest of the executable: it holds passes, scheduler and ISA

  auto operator<=>(const TuningKey&) const = default;
};

struct TuningEntry {
  std::uint64_t by_default = 0;  // cycles
  std::uint64_t tuned = 0;
  Choices choices;  // those that differ from the default

  bool operator==(const TuningEntry&) const = default;
};

using TuningEntries = std::map<TuningKey, TuningEntry>;

// SHA-256 as hexadecimal digits.
std::string digest_of(const std::string& bytes);
// Of this executable; "" when it cannot be read.
std::string compiler_digest();

std::string cache_text(const TuningEntries& entries);
// Nothing for a text that cache_text() did not write; `error` says what is wrong and in which line.
std::optional<TuningEntries> parse_cache(const std::string& text, std::string& error);

// What the file holds; nothing where it is damaged (`error` says how), no entries where it is not
// there.
std::optional<TuningEntries> read_cache(const std::string& path, std::string& error);
// Adds the entry to the file; false with an error where that cannot be.
bool keep_in_cache(const std::string& path, const TuningKey& key, const TuningEntry& entry,
                   std::string& error);

}  // namespace tandem::compiler
