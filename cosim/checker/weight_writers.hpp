// The last writers of the matrix unit's weights. Pushes and swaps leave no Write in a record, so
// they are followed here, bundle by bundle, for reports of the end.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cosim/checker/history.hpp"
#include "isa/archive/archive.hpp"
#include "isa/image.hpp"
#include "isa/state/retire.hpp"
#include "isa/state/state.hpp"

namespace tandem {

// One element of a buffer of weights.
struct WeightPlace {
  bool active = false;  // of the two buffers
  std::uint32_t row = 0;
  std::uint32_t column = 0;
};

class WeightWriters {
 public:
  explicit WeightWriters(const Parameters& parameters);

  // Before golden executes the bundle: the row of a push may be in a register.
  void before(const Bundle& bundle, const State& state);
  // After it, with its effects.
  void after(const RetireRecord& record);
  // The bundle of the last push to an element, or of the swap that zeroed it since.
  [[nodiscard]] Producer producer(const WeightPlace& place) const;

  template <typename A>
  void archive(A& a) {
    for (Buffer& buffer : buffers_) a(fixed(buffer.rows), fixed(buffer.columns), buffer.released);
    a(row_);
  }

 private:
  // Of eight rows or columns each, as a push writes them; `released` of all elements.
  struct Buffer {
    std::vector<Producer> rows;
    std::vector<Producer> columns;
    Producer released;
  };
  static void release(Buffer& buffer, const Producer& by);

  std::array<Buffer, 2> buffers_;  // filling, active
  std::uint32_t row_ = 0;          // of the push that is about to execute
};

}  // namespace tandem
