// A program as a trace shows it: the name, the source line and the units of each bundle, looked up
// when it first issues.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/image.hpp"
#include "sim/events/unit_use.hpp"
#include "sim/trace/trace_format.hpp"

namespace tandem::trace {

// A unit that the operation of a slot keeps busy, and its slice there.
struct UnitSlice {
  Slot slot{};
  UnitUse use{};
  Track track{};
  std::string begin;  // the event, encoded
};

struct BundleView {
  std::uint32_t place = 0;                        // name: nearest label and distance
  std::uint32_t location = 0;                     // of the source: pc + 1
  std::array<std::uint32_t, slot_count> names{};  // of the operations; 0 in an empty slot
  std::vector<UnitSlice> units;
  // Slots, as bits, whose operation reads VMEM (loads) or SMEM (loads, descriptors of copies).
  std::uint16_t reads_vmem = 0;
  std::uint16_t reads_smem = 0;
  std::uint16_t waits = 0;       // the slot, as a bit, that waits for `flag`
  std::uint16_t marks = 0;       // the slot, as a bit, that holds the marker `code`
  std::uint16_t multiplies = 0;  // the slot, as a bit, that multiplies `multiply_rows` rows
  std::uint32_t multiply_rows = 0;
  std::uint32_t flag = 0;
  std::uint32_t code = 0;
};

class Program {
 public:
  explicit Program(const Image& image) : image_(image), views_(image.text.size()) {}

  [[nodiscard]] const Image& image() const { return image_; }
  // Precondition: pc is inside the text.
  const BundleView& view(std::uint32_t pc) {
    std::unique_ptr<BundleView>& view = views_[pc];
    if (!view) view = look_up(pc);
    return *view;
  }
  // The number, from 1, of a name, the same each time.
  std::uint32_t name_number(const std::string& name);
  [[nodiscard]] const std::string& name(std::uint32_t number) const { return *names_[number - 1]; }

 private:
  std::unique_ptr<BundleView> look_up(std::uint32_t pc);
  void look_up_operation(const Operation& operation, Slot slot, BundleView& view);

  const Image& image_;
  std::vector<std::unique_ptr<BundleView>> views_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> names_;
};

}  // namespace tandem::trace
