#include "sim/time/issue_units.hpp"

#include <algorithm>
#include <array>

#include "isa/golden/marks/mask_rows.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t row_set(std::uint32_t rows) { return (1U << rows) - 1; }

// Bit r: row r takes part.
std::uint32_t rows_of(const golden::Core& core, const golden::MicroOp& op) {
  if (op.mx == 0) return op.mx_not ? 0 : row_set(op.rows);
  const std::uint32_t* mask =
      core.state.masks.data() + std::size_t{op.mx} * core.state.mask_words();
  std::uint32_t rows = 0;
  for (std::uint32_t r = 0; r < op.rows; ++r) {
    if (golden::mask_row(mask, op.mx_not, r, core.lanes()) != 0) rows |= 1U << r;
  }
  return rows;
}

// Rows r and r' share a bank when (r - r') * stride is a multiple of the banks.
std::uint32_t fullest_bank(std::uint32_t rows, std::int32_t stride) {
  if (stride == 0 || stride % 2 != 0) return rows != 0 ? 1 : 0;  // one row, or a bank for each
  const auto shift = std::min(3, __builtin_ctz(static_cast<std::uint32_t>(stride)));
  const std::uint32_t period = vmem_banks >> static_cast<unsigned>(shift);
  std::uint32_t same_bank = 0;  // rows 0, period, 2 period, ...
  for (std::uint32_t r = 0; r < sublanes; r += period) same_bank |= 1U << r;
  std::uint32_t most = 0;
  for (std::uint32_t bank = 0; bank < period; ++bank) {
    most = std::max(most, static_cast<std::uint32_t>(__builtin_popcount(rows & same_bank << bank)));
  }
  return most;
}

// Of rows named one by one: the most different ones in a bank.
VmemAccess indexed_access(const golden::Core::IndexedRows& indexed) {
  VmemAccess access;
  std::array<std::uint32_t, vmem_banks> in_bank{};
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    if ((indexed.taken >> r & 1U) == 0) continue;
    ++access.rows;
    bool again = false;
    for (std::uint32_t earlier = 0; earlier < r; ++earlier) {
      again =
          again || ((indexed.taken >> earlier & 1U) != 0 && indexed.row[earlier] == indexed.row[r]);
    }
    if (again) continue;
    access.cycles = std::max(access.cycles, ++in_bank[indexed.row[r] % vmem_banks]);
  }
  return access;
}

}  // namespace

VmemAccess vmem_access(const golden::Core& core, const golden::MicroOp& op, bool column) {
  if (op.indexed) return indexed_access(core.indexed_by(op));
  const std::uint32_t rows = rows_of(core, op);
  const auto count = static_cast<std::uint32_t>(__builtin_popcount(rows));
  // The words of the column form are in at most two adjacent rows.
  if (column) return {count, count != 0 ? 1U : 0U};
  return {count, fullest_bank(rows, op.stride)};
}

}  // namespace tandem
