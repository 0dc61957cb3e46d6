// Linear programs made up at random: race-free, every value written before it is used, and every
// register's last value in memory at the end.
#pragma once

#include <cstdint>
#include <string>

namespace tandem::test {

struct RandomLinearKnobs {
  bool loops = true;
  bool branches = true;
  bool matrix = true;
  bool copies = true;
  bool pinned = true;    // some registers by number
  bool crowded = false;  // more values than registers, and a frame for them
  unsigned segments = 6;
  unsigned vectors = 12;  // virtual vector registers in use throughout
  unsigned scalars = 6;
};

// The largest frame of a crowded program: its contents may be anything.
inline constexpr unsigned frame_words_begin = 380;
inline constexpr unsigned frame_words_end = 480;
unsigned frame_rows_begin(const RandomLinearKnobs& knobs);  // nothing else follows it

RandomLinearKnobs random_linear_knobs(std::uint64_t seed);
// The text of a program for any preset.
std::string random_linear_program(std::uint64_t seed, const RandomLinearKnobs& knobs);

}  // namespace tandem::test
