// Builds little programs for the golden model, bundle by bundle, without the assembler.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/image.hpp"
#include "isa/launch.hpp"

namespace tandem::test {

// Operand values by what they look like in assembly.
inline OperandValue reg(std::int32_t number) { return {number, 0, 0}; }
inline OperandValue number(std::int32_t value) { return {0, 1, value}; }  // scalar_imm constant
inline OperandValue plain(std::uint32_t value) { return {static_cast<std::int32_t>(value), 0, 0}; }
inline OperandValue negated(std::int32_t number) { return {number, 1, 0}; }
inline OperandValue at(std::int32_t scalar, std::int32_t offset) { return {scalar, 0, offset}; }
inline OperandValue form(std::int32_t number, SourceForm which) {
  return {number, static_cast<std::uint32_t>(which), 0};
}
inline OperandValue part(std::int32_t number, Part which) {
  return {number, static_cast<std::uint32_t>(which), 0};
}
inline OperandValue yes() { return {1, 0, 0}; }  // add, swap
inline OperandValue no() { return {0, 0, 0}; }

struct SlotOperation {
  Slot slot;
  Operation operation;
};

// Missing operands take their defaults.
SlotOperation op(Slot slot, Op which, std::initializer_list<OperandValue> operands = {});
SlotOperation when(std::int32_t predicate, bool negate, SlotOperation operation);

// A program under construction; image and launch live as long as the models made from it.
class Program {
 public:
  explicit Program(std::string_view preset = "small");

  // Appends a bundle; returns its PC.
  std::uint32_t bundle(std::initializer_list<SlotOperation> operations);
  std::uint32_t raw(const Bundle& bundle);
  void halt() { bundle({op(Slot::sa, Op::halt)}); }
  // Bundles that put constants into SMEM words (through s31).
  void smem(std::uint32_t address, std::initializer_list<std::uint32_t> words);
  void hbm(std::uint64_t address, const std::vector<std::uint32_t>& words);

  [[nodiscard]] GoldenModel model(GoldenOptions options = {});
  // Runs to the end, with records kept in `records`.
  GoldenModel run(GoldenOptions options = {});

  [[nodiscard]] const Parameters& parameters() const { return *image_->preset; }
  std::vector<RetireRecord> records;
  std::uint64_t hbm_bytes = std::uint64_t{1} << 32U;

 private:
  std::unique_ptr<Image> image_;
  std::vector<HbmSegment> segments_;
};

// Options that only look at results.
GoldenOptions unchecked();

}  // namespace tandem::test
