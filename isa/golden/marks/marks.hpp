// Which elements have never been written (docs/reference.md, section 5). A bit set means unwritten,
// so that the common case is all zeros. Moves carry the marks along; all other uses report them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "isa/archive/archive.hpp"
#include "isa/golden/marks/hbm_marks.hpp"
#include "isa/parameters.hpp"
#include "isa/state/state.hpp"

namespace tandem::golden {

// The marks of one row of at most 128 lanes; bit j is lane j.
using RowMarks = unsigned __int128;
using VectorMarks = std::array<RowMarks, sublanes>;

inline std::uint32_t first_lane(RowMarks marks) {
  const auto low = static_cast<std::uint64_t>(marks);
  return low != 0 ? static_cast<std::uint32_t>(__builtin_ctzll(low))
                  : 64 + static_cast<std::uint32_t>(
                             __builtin_ctzll(static_cast<std::uint64_t>(marks >> 64U)));
}

class Marks {
 public:
  // With `enabled` false everything counts as written.
  Marks(const Parameters& parameters, bool enabled);

  // A start: nothing has been written since.
  void start();

  [[nodiscard]] bool enabled() const { return enabled_; }
  // All lanes of a row.
  [[nodiscard]] RowMarks full_row() const { return full_row_; }

  // Whether some element of a vector register was never written.
  [[nodiscard]] bool vector_unwritten(std::uint32_t number) const {
    return vector_unwritten_[number] != 0;
  }
  [[nodiscard]] const VectorMarks& vector(std::uint32_t number) const { return vectors_[number]; }
  void define_vector(std::uint32_t number) {
    if (vector_unwritten_[number] == 0) return;
    vectors_[number].fill(0);
    vector_unwritten_[number] = 0;
  }
  // `pc` is the bundle that moves the marks here.
  void set_vector(std::uint32_t number, const VectorMarks& marks, std::uint32_t pc);
  void move_vector(std::uint32_t to, std::uint32_t from, std::uint32_t pc) {
    if (vector_unwritten_[from] == 0) return define_vector(to);
    set_vector(to, VectorMarks(vectors_[from]), pc);
  }

  [[nodiscard]] RowMarks vmem_row(std::uint32_t row) const { return vmem_[row]; }
  // Replaces the marks of the lanes in `lanes`.
  void store_row(std::uint32_t row, RowMarks lanes, RowMarks marks);
  // Words of VMEM, by word address.
  [[nodiscard]] bool vmem_word_unwritten(std::uint32_t word) const {
    return ((vmem_[word / lanes_] >> (word % lanes_)) & 1U) != 0;
  }
  void define_vmem(std::uint32_t word, std::uint32_t count);
  // Up to 64 words of VMEM; bit i is word + i.
  [[nodiscard]] std::uint64_t vmem_words(std::uint32_t word, std::uint32_t count) const;
  void write_vmem(std::uint32_t word, std::uint32_t count, std::uint64_t marks);
  void move_vmem(std::uint32_t to, std::uint32_t from, std::uint32_t count);

  // Accumulators are written by whole rows: bit r.
  [[nodiscard]] std::uint8_t accumulator(std::uint32_t number) const {
    return accumulators_[number];
  }
  void define_accumulator_rows(std::uint32_t number, std::uint32_t rows) {
    accumulators_[number] &= static_cast<std::uint8_t>(~((1U << rows) - 1));
  }
  void move_accumulator(std::uint32_t vector, std::uint32_t from, std::uint32_t pc);

  // Weights, by buffer; row k, column j.
  [[nodiscard]] bool weights_unwritten(std::uint32_t buffer) const {
    return weights_[buffer].unwritten != 0;
  }
  [[nodiscard]] RowMarks weight_row(std::uint32_t buffer, std::uint32_t k) const {
    return weights_[buffer].rows[k];
  }
  void push_weights(std::uint32_t buffer, std::uint32_t row, std::uint32_t vector, bool transposed);
  void define_weights(std::uint32_t buffer);

  // Of HBM; empty when not enabled.
  [[nodiscard]] HbmMarks& hbm() { return hbm_; }
  [[nodiscard]] const HbmMarks& hbm() const { return hbm_; }
  void copy_to_hbm(std::uint64_t to, std::uint32_t from, std::uint32_t count);
  void copy_from_hbm(std::uint32_t to, std::uint64_t from, std::uint32_t count);
  void copy_within_hbm(std::uint64_t to, std::uint64_t from, std::uint64_t count);

  // The bundle that put unwritten elements there, if one did.
  [[nodiscard]] std::optional<std::uint32_t> vector_origin(std::uint32_t number) const;

  // The part that a snapshot shares with earlier ones (isa/golden/snapshot.hpp).
  [[nodiscard]] auto large_arrays() { return std::tie(vectors_, vmem_); }
  template <typename A>
  void archive(A& a) {
    a(fixed(vectors_), fixed(vector_unwritten_), fixed(vector_origins_), fixed(vmem_),
      fixed(accumulators_), weights_, hbm_);
  }

 private:
  struct Weights {
    std::vector<RowMarks> rows;
    std::uint32_t unwritten = 0;  // elements

    template <typename A>
    void archive(A& a) {
      a(fixed(rows), unwritten);
    }
  };
  void set_weight_row(Weights& weights, std::uint32_t row, RowMarks lanes, RowMarks marks);

  bool enabled_;
  std::uint32_t lanes_;
  RowMarks full_row_;
  std::vector<VectorMarks> vectors_;
  std::vector<std::uint8_t> vector_unwritten_;
  std::vector<std::uint32_t> vector_origins_;  // PC; meaningful while unwritten, no_origin at start
  std::vector<RowMarks> vmem_;
  std::vector<std::uint8_t> accumulators_;
  std::array<Weights, 2> weights_;
  HbmMarks hbm_;
};

}  // namespace tandem::golden
