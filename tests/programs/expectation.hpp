// The promises in the header of a directed program, as numbers for one preset. See README.md for
// the form. Values are computed by the assembler's expressions, never by a model.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "assembler/assembler.hpp"
#include "isa/object/object.hpp"
#include "isa/state/trap.hpp"
#include "runtime/models/runner.hpp"

namespace tandem::directed {

// The place of an expected word. For s, p and f `index` is the register; for v, a and m it is
// register * 8 + row; for vmem the row, for smem the word, for hbm the byte address.
enum class Place : std::uint8_t { s, p, f, v, a, m, vmem, smem, hbm };

struct ExpectedWord {
  Place place = Place::s;
  std::uint32_t index = 0;
  std::uint32_t lane = 0;
  std::uint32_t value = 0;
  std::uint32_t line = 0;  // of the program's text
};

struct Expectation {
  Outcome outcome = Outcome::halted;  // running: the bundle limit is reached
  Trap trap;                          // when trapped
  std::optional<std::uint32_t> pc;    // of the trap, or of the bundle that a finding is about
  std::vector<ExpectedWord> words;    // of the final state
  std::uint64_t limit = 100'000;      // bundles
};

struct ExpectationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads the comment lines `# expect: ...` and `# limit: ...` of a text. Names in expressions are
// those of `program`. Throws ExpectationError for a meaningless line.
Expectation read_expectation(const SourceText& source, const Object& program);

}  // namespace tandem::directed
