// Linear code written in C++, for tests.
#pragma once

#include <initializer_list>
#include <string>
#include <unordered_map>
#include <vector>

#include "schedule/program/bundled.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::test {

// An operand: a virtual register, a constant, or an address of offset from s0.
struct LinearOperand {
  schedule::VirtualId id = schedule::no_virtual;
  OperandValue value;

  LinearOperand(std::int32_t constant) : value{0, 1, constant} {}  // NOLINT: operands read better
  LinearOperand(schedule::VirtualId virtual_id, OperandValue fields)
      : id(virtual_id), value(fields) {}
};

struct Added {
  schedule::LinearOperation* item;
  void predicate_with(const LinearOperand& predicate, bool negate = false) const {
    item->operation.predicate = 1;
    item->operation.negate = negate;
    item->registers[predicate_place] = predicate.id;
  }
};

class LinearText {
 public:
  schedule::LinearBlock block;

  LinearOperand s(const std::string& name) { return named(name, File::s); }
  LinearOperand p(const std::string& name) { return named(name, File::p); }
  LinearOperand v(const std::string& name) { return named(name, File::v); }
  static LinearOperand at(std::int32_t offset) {
    return {schedule::no_virtual, OperandValue{0, 0, offset}};
  }

  // Operands in the order of the table; attributes take their defaults.
  Added add(Op op, std::initializer_list<LinearOperand> operands);
  schedule::LabelId label();
  void branch_if(const LinearOperand& predicate, schedule::LabelId target);

 private:
  LinearOperand named(const std::string& name, File file);
  std::unordered_map<std::string, schedule::VirtualId> names_;
};

// Blocks with branches that read and write many registers, not meant to be run.
// `defined`: few enough to fit, and each is written first.
schedule::LinearBlock random_registers(std::uint32_t seed, bool defined = false);
// The number that each virtual register was given, or -1.
std::vector<std::int32_t> numbers_given(const schedule::LinearBlock& block,
                                        const schedule::Bundled& allocated);

}  // namespace tandem::test
