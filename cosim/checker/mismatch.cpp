#include "cosim/checker/mismatch.hpp"

#include <array>

namespace tandem {
namespace {

constexpr auto rows = std::to_array<CompareFieldRow>({
#define FIELD(name, text, meaning) {CompareField::name, text, meaning},
#include "cosim/checker/compare_fields.def"
#undef FIELD
});

}  // namespace

std::span<const CompareFieldRow> compare_fields() { return rows; }

const CompareFieldRow& compare_field(CompareField field) {
  return rows[static_cast<std::size_t>(field)];
}

Mismatch counter_mismatch(std::string place, std::uint64_t expected, std::uint64_t got) {
  Mismatch mismatch;
  mismatch.field = CompareField::end_counter;
  mismatch.place = std::move(place);
  mismatch.expected = {static_cast<std::uint32_t>(expected),
                       static_cast<std::uint32_t>(expected >> 32U)};
  mismatch.got = {static_cast<std::uint32_t>(got), static_cast<std::uint32_t>(got >> 32U)};
  return mismatch;
}

}  // namespace tandem
