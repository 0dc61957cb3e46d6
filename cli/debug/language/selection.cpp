#include "cli/debug/language/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "isa/golden/marks/marks.hpp"

namespace tandem::debug {
namespace {

// The number behind a letter: "v12" -> 12; none unless it is below `count` and written plainly.
std::optional<std::uint32_t> register_number(const std::string& name, std::uint32_t count) {
  if (name.size() < 2 || name.size() > 3 || (name[1] == '0' && name.size() == 3)) {
    return std::nullopt;
  }
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  const auto result = std::from_chars(name.data() + 1, end, number);
  if (result.ec != std::errc() || result.ptr != end || number >= count) return std::nullopt;
  return number;
}

Dimension whole(std::uint64_t size, std::uint64_t pitch, std::uint64_t step = 1) {
  return {size, 0, size / step, step, pitch, false};
}

Selection matrix(const std::string& name, Area area, std::uint64_t number, std::uint64_t rows,
                 std::uint64_t lanes, NumberType type) {
  Selection selection{name, area, number * rows * lanes, 32, type, {}};
  selection.dimensions = {whole(rows, lanes), whole(lanes, 1)};
  return selection;
}

std::optional<Selection> find_register_selection(const std::string& name,
                                                 const Parameters& machine) {
  struct File {
    char letter;
    Area area;
    std::uint32_t count;
  };
  constexpr std::array<File, 6> files{{{'s', Area::sreg, scalar_registers},
                                       {'p', Area::preg, predicate_registers},
                                       {'f', Area::flag, sync_flags},
                                       {'m', Area::mreg, mask_registers},
                                       {'v', Area::vreg, vector_registers},
                                       {'a', Area::acc, accumulators}}};
  for (const File& file : files) {
    if (name[0] != file.letter) continue;
    const auto number = register_number(name, file.count);
    if (!number) return std::nullopt;
    if (file.area == Area::preg) return Selection{name, file.area, *number, 1, NumberType::bit, {}};
    if (file.area == Area::sreg || file.area == Area::flag) {
      return Selection{name, file.area, *number, 32, NumberType::s32, {}};
    }
    Selection selection = matrix(name, file.area, *number, sublanes, machine.lanes,
                                 file.area == Area::mreg ? NumberType::bit : NumberType::f32);
    if (file.area == Area::mreg) selection.width = 1;
    return selection;
  }
  return std::nullopt;
}

std::optional<Selection> find_memory(const std::string& name, const Launch& launch) {
  const Parameters& machine = *launch.image->preset;
  if (name == "smem") {
    return Selection{name, Area::smem, 0, 32, NumberType::s32, {whole(machine.smem_words(), 1)}};
  }
  if (name == "vmem") {
    return matrix(name, Area::vmem, 0, machine.vmem_rows(), machine.lanes, NumberType::f32);
  }
  if (name == "hbm") {
    return Selection{name, Area::hbm, 0, 32, NumberType::hex, {whole(launch.hbm_bytes, 4, 4)}};
  }
  if (name == "weights" || name == "filling") {
    Selection selection = matrix(name, name == "weights" ? Area::weights : Area::filling, 0,
                                 machine.lanes, machine.lanes, NumberType::bf16);
    selection.width = 16;
    return selection;
  }
  return std::nullopt;
}

std::string index_text(std::uint64_t index, bool hex) {
  return hex ? fmt::format("{:#x}", index) : fmt::format("{}", index);
}

Selection tensor_selection(const PlacedTensor& placed) {
  const Tensor& tensor = placed.tensor;
  const std::uint32_t bytes = plane_element_bytes(tensor.type);
  Selection selection{
      tensor.name, Area::hbm, placed.address, 8 * bytes, type_of_elements(tensor.type), {}};
  std::uint64_t pitch = placed.pitch;
  for (std::size_t i = tensor.dimensions.size(); i-- != 0;) {
    const auto size = static_cast<std::uint64_t>(tensor.dimensions[i]);
    const bool innermost = i + 1 == tensor.dimensions.size();
    selection.dimensions.insert(selection.dimensions.begin(),
                                whole(size, innermost ? bytes : pitch));
    if (!innermost) pitch *= size;
  }
  if (const std::uint32_t planes = planes_of(tensor.type); planes != 1) {
    selection.dimensions.insert(selection.dimensions.begin(), whole(planes, placed.bytes / planes));
  }
  return selection;
}

const std::vector<std::uint16_t>& weights_of(const State& state, Area area) {
  return state.weights[area == Area::weights ? state.active : 1 - state.active];
}

}  // namespace

std::string_view area_name(Area area) {
  switch (area) {
    case Area::sreg: return "scalar register";
    case Area::preg: return "predicate";
    case Area::flag: return "flag";
    case Area::mreg: return "mask";
    case Area::vreg: return "vector";
    case Area::acc: return "accumulator";
    case Area::weights: return "active weights";
    case Area::filling: return "filling weights";
    case Area::smem: return "SMEM";
    case Area::vmem: return "VMEM";
    case Area::hbm: return "HBM";
  }
  return "";
}

bool Selection::is_one() const {
  return std::all_of(dimensions.begin(), dimensions.end(),
                     [](const Dimension& d) { return d.single; });
}

std::uint64_t Selection::count() const {
  std::uint64_t product = 1;
  for (const Dimension& dimension : dimensions) product *= dimension.count;
  return product;
}

std::uint64_t Selection::element(const std::vector<std::uint64_t>& place) const {
  std::uint64_t number = base;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const Dimension& d = dimensions[i];
    number += (d.first / d.step + place[i]) * d.pitch;
  }
  return number;
}

std::vector<std::uint64_t> Selection::place_of(std::uint64_t element) const {
  std::vector<std::uint64_t> place;
  std::uint64_t rest = element - base;
  for (const Dimension& d : dimensions) {
    place.push_back(rest / d.pitch - d.first / d.step);
    rest %= d.pitch;
  }
  return place;
}

std::string Selection::text() const {
  const auto is_whole = [](const Dimension& d) {
    return !d.single && d.first == 0 && d.count * d.step == d.size;
  };
  std::size_t shown = dimensions.size();
  while (shown != 0 && is_whole(dimensions[shown - 1])) --shown;
  std::string result = name;
  for (const Dimension& d : std::span(dimensions).first(shown)) {
    const std::uint64_t end = d.first + d.count * d.step;
    const bool hex = d.step != 1;  // addresses
    result += d.single ? fmt::format("[{}]", index_text(d.first, hex))
                       : fmt::format("[{}:{}]", index_text(d.first, hex), index_text(end, hex));
  }
  return result;
}

std::string Selection::element_text(const std::vector<std::uint64_t>& place) const {
  std::string result = name;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const Dimension& d = dimensions[i];
    const std::uint64_t index = d.first + place[i] * d.step;
    result += fmt::format("[{}]", index_text(index, d.step != 1));
  }
  return result;
}

std::optional<Selection> find_selection(const std::string& name, const Launch& launch) {
  if (name.empty()) return std::nullopt;
  if (auto found = find_register_selection(name, *launch.image->preset)) return found;
  if (auto found = find_memory(name, launch)) return found;
  for (const PlacedTensor& placed : launch.tensors) {
    if (placed.tensor.name == name) return tensor_selection(placed);
  }
  return std::nullopt;
}

std::uint32_t element_bits(const GoldenModel& model, const Selection& selection,
                           std::uint64_t element) {
  const State& state = model.state();
  switch (selection.area) {
    case Area::sreg: return state.scalars[element];
    case Area::preg: return state.predicates[element];
    case Area::flag: return state.flags[element];
    case Area::mreg: return state.masks[element / 32] >> (element % 32) & 1U;
    case Area::vreg: return state.vectors[element];
    case Area::acc: return state.accumulators[element];
    case Area::weights:
    case Area::filling: return weights_of(state, selection.area)[element];
    case Area::smem: return state.smem[element];
    case Area::vmem: return state.vmem[element];
    case Area::hbm: break;
  }
  std::array<std::uint8_t, 4> bytes{};
  model.hbm().read(element, std::span(bytes).first(selection.width / 8));
  std::uint32_t bits = 0;
  for (std::size_t i = bytes.size(); i-- != 0;) bits = bits << 8U | bytes[i];
  return bits;
}

bool is_unwritten(const GoldenModel& model, const Selection& selection, std::uint64_t element) {
  const golden::Marks& marks = model.marks();
  const std::uint32_t lanes = model.parameters().lanes;
  const auto lane = static_cast<std::uint32_t>(element % lanes);
  const auto row = static_cast<std::uint32_t>(element / lanes);
  const auto set = [lane](golden::RowMarks row_marks) { return (row_marks >> lane & 1U) != 0; };
  switch (selection.area) {
    case Area::sreg:
    case Area::preg:
    case Area::flag:
    case Area::mreg:
    case Area::smem:
    case Area::hbm: return false;  // zero at the start
    case Area::vreg:
      return marks.vector_unwritten(row / sublanes) &&
             set(marks.vector(row / sublanes)[row % sublanes]);
    case Area::acc: return (marks.accumulator(row / sublanes) >> (row % sublanes) & 1U) != 0;
    case Area::weights: return set(marks.weight_row(model.state().active, row));
    case Area::filling: return set(marks.weight_row(1 - model.state().active, row));
    case Area::vmem: return set(marks.vmem_row(row));
  }
  return false;
}

}  // namespace tandem::debug
