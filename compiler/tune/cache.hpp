// Choices that a search has found best, kept in a file between compilations.
//
//   tandem tuning cache 1
//   program 3f1c...  small  9b27...      digests of the program and of the compiler
//   cycles 1409 1377                     by the models of cost, and with these choices
//   choice contraction.columns#0 2
//   end
//
// The file is a function of its entries: they are sorted. A writer holds a lock beside the file,
// reads it again, and replaces it by renaming, so readers need no lock and processes do not lose
// each other's entries.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "compiler/contract/choices.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// The key of an entry. An entry for another compiler, machine or program is never used.
struct TuningKey {
  std::string program;  // digest of its text at the level `stablehlo`, without names of files
  std::string preset;
  std::string compiler;  // digest of the executable: it contains passes, scheduler and ISA

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
// The digest of this executable; "" when it cannot be read.
std::string compiler_digest();

std::string cache_text(const TuningEntries& entries);
// Nothing for a text that cache_text() did not write; `error` is the error with its line.
std::optional<TuningEntries> parse_cache(const std::string& text, std::string& error);

// The contents of the file; nothing where it is damaged (`error` is the reason), no entries where
// it does not exist.
std::optional<TuningEntries> read_cache(const std::string& path, std::string& error);
// Adds the entry to the file; false with an error on failure.
bool keep_in_cache(const std::string& path, const TuningKey& key, const TuningEntry& entry,
                   std::string& error);

}  // namespace tandem::compiler
