// Where the program must stop: at bundles, when something becomes true, when something is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/debug/language/expression.hpp"
#include "cli/debug/language/places.hpp"
#include "cli/debug/language/selection.hpp"
#include "isa/image.hpp"

namespace tandem::debug {

struct Breakpoint {
  enum class Kind : std::uint8_t {
    location,   // before one of `pcs`, if the condition holds
    condition,  // after a bundle that makes the condition true
    watch,      // after a bundle that writes some of `selection`, if the condition holds
  };
  int number = 0;
  Kind kind = Kind::location;
  bool enabled = true;
  bool temporary = false;  // deleted when it stops the program
  std::uint64_t hits = 0;
  std::string text;  // as typed, without the condition
  std::vector<std::uint32_t> pcs;
  Selection selection;
  std::optional<Places> places;
  ExpressionPointer condition;
  std::string condition_text;
};

// The checks at a bundle, by bit.
enum Mark : std::uint8_t {
  mark_stop = 1,    // a location: check before it
  mark_record = 2,  // check what it has written
};

class Breakpoints {
 public:
  explicit Breakpoints(const Image& image) : image_(image), marks_(image.text.size()) {}

  // Gives it the next number, which is returned.
  int add(Breakpoint breakpoint);
  // False if there is none with that number.
  bool remove(int number);
  bool enable(int number, bool enabled);
  void clear();
  void count_hit(int number);

  [[nodiscard]] const std::vector<Breakpoint>& all() const { return breakpoints_; }
  [[nodiscard]] const Breakpoint* find(int number) const;
  // By PC.
  [[nodiscard]] const std::vector<std::uint8_t>& marks() const { return marks_; }

 private:
  void mark_all();
  void mark(const Breakpoint& breakpoint);
  Breakpoint* find_mutable(int number);

  const Image& image_;
  std::vector<Breakpoint> breakpoints_;
  std::vector<std::uint8_t> marks_;
  int last_number_ = 0;
};

}  // namespace tandem::debug
