// Builds little programs for the golden model, bundle by bundle, without the assembler.
#pragma once

#include <array>
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
// The constant of a vector source.
inline OperandValue value_of(std::int32_t value) {
  return {0, static_cast<std::uint32_t>(SourceForm::constant), value};
}
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

// A copy descriptor; counts of 1 leave a dimension out.
struct Descriptor {
  enum Memory : std::uint32_t { hbm, vmem, smem };
  Memory source_memory = hbm;
  Memory destination_memory = vmem;
  std::uint32_t flag = 0;
  std::uint32_t amount = 1;
  std::uint64_t source = 0;
  std::uint64_t destination = 0;
  std::uint32_t length = 4;
  struct Dimension {
    std::uint32_t count = 1;
    std::int32_t source_stride = 0;
    std::int32_t destination_stride = 0;
  };
  std::array<Dimension, 3> dimensions{};

  [[nodiscard]] std::vector<std::uint32_t> words() const;
};

// A program under construction; image and launch live as long as the models made from it.
class Program {
 public:
  explicit Program(std::string_view preset = "small");

  // Appends a bundle; returns its PC.
  std::uint32_t bundle(std::initializer_list<SlotOperation> operations);
  std::uint32_t raw(const Bundle& bundle);
  void entry(std::uint32_t pc) { image_->entry_pc = pc; }
  void halt() { bundle({op(Slot::sa, Op::halt)}); }
  // Bundles that put constants into SMEM words (through s31).
  void smem(std::uint32_t address, const std::vector<std::uint32_t>& words);
  // Puts the descriptor at SMEM word 0 and starts the copy.
  void copy(const Descriptor& descriptor);
  void wait(std::int32_t flag, std::int32_t value) {
    bundle({op(Slot::dma, Op::wait, {reg(flag), number(value)})});
  }
  // Data in VMEM from row `row` on, by a copy that is waited for (flag 31).
  void vmem(std::uint32_t row, const std::vector<std::uint32_t>& words);
  void hbm(std::uint64_t address, const std::vector<std::uint32_t>& words);

  [[nodiscard]] GoldenModel model(GoldenOptions options = {});
  // Runs to the end, with records kept in `records`.
  GoldenModel run(GoldenOptions options = {});

  [[nodiscard]] std::size_t size() const { return image_->text.size(); }
  [[nodiscard]] const std::vector<Bundle>& text() const { return image_->text; }
  [[nodiscard]] const Parameters& parameters() const { return *image_->preset; }
  std::vector<RetireRecord> records;
  std::uint64_t hbm_bytes = std::uint64_t{1} << 32U;

 private:
  std::unique_ptr<Image> image_;
  std::vector<HbmSegment> segments_;
  std::uint64_t next_data_ = 0x10'0000;
  std::int32_t loads_ = 0;
};

// Options that only look at results.
GoldenOptions unchecked();

// Status, place and all architectural state of two models are the same.
void check_same(const GoldenModel& a, const GoldenModel& b);

}  // namespace tandem::test
