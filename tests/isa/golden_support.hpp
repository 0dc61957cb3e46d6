// Little programs for the golden model, bundle by bundle, without text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "isa/builder/object_builder.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/image.hpp"
#include "isa/launch/launch.hpp"

namespace tandem::test {

using namespace builder;  // NOLINT: a header of tests

// Operand values of operations that a test picks from the table, by their kinds.
inline OperandValue reg(std::int32_t number) { return {number, 0, 0}; }
inline OperandValue number(std::int32_t value) { return {0, 1, value}; }  // scalar_imm constant
inline OperandValue plain(std::uint32_t value) { return {static_cast<std::int32_t>(value), 0, 0}; }
inline OperandValue negated(std::int32_t number) { return {number, 1, 0}; }
inline OperandValue at(std::int32_t scalar, std::int32_t offset) { return {scalar, 0, offset}; }
// The constant of a vector source.
inline OperandValue constant_of(std::int32_t value) {
  return {0, static_cast<std::uint32_t>(SourceForm::constant), value};
}
inline OperandValue form(std::int32_t number, SourceForm which) {
  return {number, static_cast<std::uint32_t>(which), 0};
}
inline OperandValue part(std::int32_t number, Part which) {
  return {number, static_cast<std::uint32_t>(which), 0};
}
// Missing operands take their defaults.
Placed operation(Slot slot, Op which, std::initializer_list<OperandValue> operands = {});

// A program under construction; images and launches live as long as the models made from it.
class Program {
 public:
  explicit Program(std::string_view preset = "small");

  // Appends a bundle; returns its PC.
  std::uint32_t bundle(std::initializer_list<Placed> operations) {
    return object_.bundle(operations);
  }
  std::uint32_t raw(const Bundle& bundle) { return object_.raw(bundle); }
  void entry(std::uint32_t pc) { entry_pc_ = pc; }
  void halt() { bundle({op::halt()}); }
  // Bundles that put constants into SMEM words (through s31).
  void smem(std::uint32_t address, const std::vector<std::uint32_t>& words);
  void smem(std::uint32_t address, const DescriptorWords& words) {
    smem(address, std::vector(words.begin(), words.end()));
  }
  // Puts the descriptor at SMEM word 0 and starts the copy.
  void copy(const CopyDescriptor& descriptor);
  void wait(std::uint8_t flag, std::int32_t value) { bundle({op::wait(f(flag), value)}); }
  // Data in VMEM from row `row` on, by a copy that is waited for (flag 31).
  void vmem(std::uint32_t row, const std::vector<std::uint32_t>& words);
  void hbm(std::uint64_t address, const std::vector<std::uint32_t>& words);

  [[nodiscard]] GoldenModel model(GoldenOptions options = {});
  // Runs to the end, with records kept in `records`.
  GoldenModel run(GoldenOptions options = {});

  [[nodiscard]] std::size_t size() const { return object_.bundles(); }
  [[nodiscard]] std::vector<Bundle> text() const { return object_.finish().text; }
  [[nodiscard]] const Parameters& parameters() const { return preset_; }
  std::vector<RetireRecord> records;
  std::uint64_t hbm_bytes = std::uint64_t{1} << 32U;
  std::vector<DescriptorWords> start_copies;

 private:
  const Parameters& preset_;
  ObjectBuilder object_;
  std::uint32_t entry_pc_ = 0;
  std::vector<std::unique_ptr<Image>> images_;
  std::vector<HbmSegment> segments_;
  std::uint64_t next_data_ = 0x10'0000;
  std::int32_t loads_ = 0;
};

// Options that only look at results.
GoldenOptions unchecked();

// Status, place and all architectural state of two models are the same.
void check_same(const GoldenModel& a, const GoldenModel& b);

}  // namespace tandem::test
