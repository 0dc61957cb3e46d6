#include "cosim/mismatch.hpp"

#include <array>

namespace tandem {
namespace {

constexpr auto rows = std::to_array<CompareFieldRow>({
#define FIELD(name, text, meaning) {CompareField::name, text, meaning},
#include "cosim/compare_fields.def"
#undef FIELD
});

}  // namespace

std::span<const CompareFieldRow> compare_fields() { return rows; }

const CompareFieldRow& compare_field(CompareField field) {
  return rows[static_cast<std::size_t>(field)];
}

}  // namespace tandem
