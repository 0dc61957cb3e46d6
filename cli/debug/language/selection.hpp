// A part of the state: a register, elements of a register, of a memory or of a tensor, with its
// shape and the places of its elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/debug/language/number.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/launch/launch.hpp"

namespace tandem::debug {

// The areas of elements, and their numbering (`Selection::element`).
enum class Area : std::uint8_t {
  sreg,     // register
  preg,     // register
  flag,     // flag
  mreg,     // register * 8L + r * L + j
  vreg,     // register * 8L + r * L + j
  acc,      // accumulator * 8L + r * L + j
  weights,  // k * L + j, of the active buffer
  filling,  // the same of the buffer that is filled
  smem,     // word
  vmem,     // row * L + lane
  hbm,      // byte address
};
std::string_view area_name(Area area);

struct Dimension {
  std::uint64_t size = 0;   // of the whole
  std::uint64_t first = 0;  // index of the first selected element
  std::uint64_t count = 0;
  std::uint64_t step = 1;   // between indices; 4 for HBM, which counts bytes
  std::uint64_t pitch = 0;  // elements (bytes in HBM) from one index to the next
  bool single = false;      // an index, not a range: no dimension of the result
};

struct Selection {
  std::string name;  // "v3", "smem", "x"
  Area area = Area::sreg;
  std::uint64_t base = 0;    // number of the element at index 0 of every dimension
  std::uint32_t width = 32;  // bits of an element
  NumberType type = NumberType::s32;
  std::vector<Dimension> dimensions;  // none: one element

  [[nodiscard]] bool is_one() const;
  // Number of selected elements.
  [[nodiscard]] std::uint64_t count() const;
  // The number of an element, by its index among those selected in each dimension.
  [[nodiscard]] std::uint64_t element(const std::vector<std::uint64_t>& place) const;
  // The reverse; the element must be selected.
  [[nodiscard]] std::vector<std::uint64_t> place_of(std::uint64_t element) const;
  // From one element to the next: 1, or bytes in HBM.
  [[nodiscard]] std::uint64_t unit() const { return area == Area::hbm ? width / 8 : 1; }
  // "v3[0:8][4]", as it can be typed.
  [[nodiscard]] std::string text() const;
  // The same for one element.
  [[nodiscard]] std::string element_text(const std::vector<std::uint64_t>& place) const;
  // Calls visit(place) for every selected element, the last dimension fastest.
  template <typename Visit>
  void for_each(Visit visit) const {
    std::vector<std::uint64_t> place(dimensions.size());
    for (std::uint64_t left = count(); left != 0; --left) {
      visit(place);
      for (std::size_t i = place.size(); i-- != 0;) {
        if (++place[i] < dimensions[i].count) break;
        place[i] = 0;
      }
    }
  }
};

// The whole register, memory or tensor of this name ("s3", "vmem", "x"), or none.
std::optional<Selection> find_selection(const std::string& name, const Launch& launch);

// The bits of an element, and whether it was never written.
std::uint32_t element_bits(const GoldenModel& model, const Selection& selection,
                           std::uint64_t element);
bool is_unwritten(const GoldenModel& model, const Selection& selection, std::uint64_t element);

}  // namespace tandem::debug
