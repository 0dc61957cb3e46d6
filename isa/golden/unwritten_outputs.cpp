#include "isa/golden/unwritten_outputs.hpp"

#include <fmt/format.h>

#include "isa/golden/marks/hbm_marks.hpp"
#include "isa/golden/marks/marks.hpp"
#include "isa/launch/log.hpp"
#include "isa/launch/tensor_layout.hpp"

namespace tandem {
namespace {

using golden::HbmMarks;

std::vector<std::int64_t> indices_of(const std::vector<std::int64_t>& dimensions, std::uint64_t row,
                                     std::uint64_t column) {
  std::vector<std::int64_t> indices(dimensions.size());
  std::uint64_t rest = row;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const bool last = i + 1 == dimensions.size();
    const auto size = static_cast<std::uint64_t>(dimensions[i]);
    indices[i] = static_cast<std::int64_t>(last ? column : rest % size);
    if (!last) rest /= size;
  }
  return indices;
}

void count_row(const PlacedTensor& placed, const HbmMarks& marks, std::uint64_t row,
               std::uint64_t columns, UnwrittenOutput& found) {
  const std::uint64_t bytes = plane_element_bytes(placed.tensor.type);
  const std::uint64_t begin = placed.address + row * placed.pitch;
  for (std::uint64_t column = 0; column < columns; ++column) {
    const std::uint64_t at = begin + column * bytes;
    const std::uint64_t skipped = marks.written_from(at / 4);
    if (skipped != 0) {
      column += (skipped * 4 - at % 4 + bytes - 1) / bytes - 1;
      continue;
    }
    if (!marks.unwritten(at / 4) && !marks.unwritten((at + bytes - 1) / 4)) continue;
    if (found.elements++ == 0) found.first = indices_of(placed.tensor.dimensions, row, column);
  }
}

UnwrittenOutput count(const PlacedTensor& placed, const HbmMarks& marks) {
  UnwrittenOutput found{placed.tensor.name, 0, {}};
  const auto& dimensions = placed.tensor.dimensions;
  const auto columns = dimensions.empty() ? 1 : static_cast<std::uint64_t>(dimensions.back());
  const std::uint64_t rows = placed.pitch == 0 ? 0 : placed.bytes / placed.pitch;
  for (std::uint64_t row = 0; row < rows; ++row) count_row(placed, marks, row, columns, found);
  return found;
}

}  // namespace

std::vector<UnwrittenOutput> unwritten_outputs(const Launch& launch, const GoldenModel& model) {
  std::vector<UnwrittenOutput> result;
  const HbmMarks& marks = model.marks().hbm();
  if (marks.empty()) return result;
  for (const PlacedTensor& placed : launch.tensors) {
    if (!placed.tensor.output || placed.tensor.name == log_tensor) continue;
    UnwrittenOutput found = count(placed, marks);
    if (found.elements != 0) result.push_back(std::move(found));
  }
  return result;
}

std::string unwritten_text(const UnwrittenOutput& output) {
  std::string text = fmt::format("output {}: {} element{} never written", output.tensor,
                                 output.elements, output.elements == 1 ? "" : "s");
  if (output.first.empty()) return text;
  text += fmt::format(", the first is {}", output.tensor);
  for (const std::int64_t index : output.first) text += fmt::format("[{}]", index);
  return text;
}

}  // namespace tandem
