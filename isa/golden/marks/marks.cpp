#include "isa/golden/marks/marks.hpp"

#include <algorithm>

#include "isa/golden/marks/mask_rows.hpp"

namespace tandem::golden {
namespace {

constexpr std::uint32_t no_origin = ~0U;  // never written since the start; not a valid PC
constexpr std::uint8_t all_rows = 0xff;

bool any_set(const VectorMarks& marks) {
  RowMarks any = 0;
  for (const RowMarks row : marks) any |= row;
  return any != 0;
}

std::uint32_t count_set(RowMarks marks) {
  return static_cast<std::uint32_t>(__builtin_popcountll(static_cast<std::uint64_t>(marks)) +
                                    __builtin_popcountll(static_cast<std::uint64_t>(marks >> 64U)));
}

}  // namespace

Marks::Marks(const Parameters& parameters, bool enabled)
    : enabled_(enabled),
      lanes_(parameters.lanes),
      full_row_(all_lanes(parameters.lanes)),
      vmem_(parameters.vmem_rows()) {
  start();
}

void Marks::start() {
  const RowMarks row = enabled_ ? full_row_ : 0;
  VectorMarks vector;
  vector.fill(row);
  constexpr std::size_t registers = vector_registers + State::spare_registers;
  vectors_.assign(registers, vector);
  vector_unwritten_.assign(registers, enabled_ ? 1 : 0);
  vector_origins_.assign(registers, no_origin);
  std::fill(vmem_.begin(), vmem_.end(), row);
  accumulators_.assign(tandem::accumulators, enabled_ ? all_rows : 0);
  for (Weights& buffer : weights_) {
    buffer.rows.assign(lanes_, row);
    buffer.unwritten = enabled_ ? lanes_ * lanes_ : 0;
  }
}

void Marks::set_vector(std::uint32_t number, const VectorMarks& marks, std::uint32_t pc) {
  if (!any_set(marks)) return define_vector(number);
  vectors_[number] = marks;
  vector_unwritten_[number] = 1;
  vector_origins_[number] = pc;
}

void Marks::store_row(std::uint32_t row, RowMarks lanes, RowMarks marks) {
  vmem_[row] = (vmem_[row] & ~lanes) | (marks & lanes);
}

void Marks::define_vmem(std::uint32_t word, std::uint32_t count) {
  while (count != 0) {
    const std::uint32_t lane = word % lanes_;
    const std::uint32_t here = count < lanes_ - lane ? count : lanes_ - lane;
    vmem_[word / lanes_] &= ~(all_lanes(here) << lane);
    word += here;
    count -= here;
  }
}

void Marks::move_vmem(std::uint32_t to, std::uint32_t from, std::uint32_t count) {
  for (; count != 0; --count, ++to, ++from) {
    const RowMarks lane = RowMarks{1} << (to % lanes_);
    store_row(to / lanes_, lane, vmem_word_unwritten(from) ? lane : 0);
  }
}

std::uint64_t Marks::vmem_words(std::uint32_t word, std::uint32_t count) const {
  std::uint64_t marks = 0;
  for (std::uint32_t done = 0; done < count;) {
    const std::uint32_t lane = (word + done) % lanes_;
    const std::uint32_t here = std::min(count - done, lanes_ - lane);
    const RowMarks row = vmem_[(word + done) / lanes_] >> lane;
    marks |= static_cast<std::uint64_t>(row & all_lanes(here)) << done;
    done += here;
  }
  return marks;
}

void Marks::write_vmem(std::uint32_t word, std::uint32_t count, std::uint64_t marks) {
  define_vmem(word, count);
  for (; marks != 0; marks &= marks - 1) {
    const std::uint32_t marked = word + static_cast<std::uint32_t>(__builtin_ctzll(marks));
    vmem_[marked / lanes_] |= RowMarks{1} << (marked % lanes_);
  }
}

void Marks::copy_to_hbm(std::uint64_t to, std::uint32_t from, std::uint32_t count) {
  for (std::uint32_t done = 0; done < count; done += HbmMarks::piece_words) {
    const std::uint32_t here = std::min(count - done, HbmMarks::piece_words);
    hbm_.write(to + done, here, vmem_words(from + done, here));
  }
}

void Marks::copy_from_hbm(std::uint32_t to, std::uint64_t from, std::uint32_t count) {
  if (hbm_.empty()) return define_vmem(to, count);
  while (count != 0) {
    const auto written =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(count, hbm_.written_from(from)));
    const std::uint32_t here = written != 0 ? written : std::min(count, HbmMarks::piece_words);
    if (written != 0) {
      define_vmem(to, here);
    } else {
      write_vmem(to, here, hbm_.read(from, here));
    }
    to += here;
    from += here;
    count -= here;
  }
}

// In the order of the words, like the copy itself.
void Marks::copy_within_hbm(std::uint64_t to, std::uint64_t from, std::uint64_t count) {
  if (hbm_.empty()) return;
  const bool overlap = from < to && to - from < count;
  const std::uint64_t piece = overlap ? 1 : HbmMarks::piece_words;
  for (std::uint64_t done = 0; done < count; done += piece) {
    const auto here = static_cast<std::uint32_t>(std::min(count - done, piece));
    hbm_.write(to + done, here, hbm_.read(from + done, here));
  }
}

void Marks::move_accumulator(std::uint32_t vector, std::uint32_t from, std::uint32_t pc) {
  if (accumulators_[from] == 0) return define_vector(vector);
  VectorMarks marks;
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    marks[r] = (accumulators_[from] >> r & 1U) != 0 ? full_row_ : 0;
  }
  set_vector(vector, marks, pc);
}

void Marks::set_weight_row(Weights& weights, std::uint32_t row, RowMarks lanes, RowMarks marks) {
  const RowMarks before = weights.rows[row];
  const RowMarks after = (before & ~lanes) | (marks & lanes);
  weights.rows[row] = after;
  weights.unwritten += count_set(after) - count_set(before);
}

void Marks::push_weights(std::uint32_t buffer, std::uint32_t row, std::uint32_t vector,
                         bool transposed) {
  Weights& weights = weights_[buffer];
  if (weights.unwritten == 0 && vector_unwritten_[vector] == 0) return;
  const VectorMarks& marks = vectors_[vector];
  if (!transposed) {
    for (std::uint32_t r = 0; r < sublanes; ++r) {
      set_weight_row(weights, row + r, full_row_, marks[r]);
    }
    return;
  }
  const RowMarks columns = RowMarks{0xff} << row;
  for (std::uint32_t j = 0; j < lanes_; ++j) {
    RowMarks column = 0;
    for (std::uint32_t r = 0; r < sublanes; ++r) {
      if (lane_set(marks[r], j)) column |= RowMarks{1} << (row + r);
    }
    set_weight_row(weights, j, columns, column);
  }
}

void Marks::define_weights(std::uint32_t buffer) {
  if (weights_[buffer].unwritten == 0) return;
  weights_[buffer].rows.assign(lanes_, 0);
  weights_[buffer].unwritten = 0;
}

std::optional<std::uint32_t> Marks::vector_origin(std::uint32_t number) const {
  const std::uint32_t pc = vector_origins_[number];
  return pc == no_origin ? std::nullopt : std::optional(pc);
}

}  // namespace tandem::golden
