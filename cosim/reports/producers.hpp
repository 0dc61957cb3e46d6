// The origins of an operation's operands: the bundles that wrote them, and in turn the origins of
// their operands, as far as the history reaches.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cosim/checker/checker.hpp"
#include "cosim/reports/mismatch_report.hpp"
#include "isa/encoding.hpp"

namespace tandem {

class ProducerTracer {
 public:
  ProducerTracer(const Checker& checker, const Image& image, std::vector<OperandReport>& out)
      : checker_(checker), image_(image), out_(out) {}

  // Of the operation in this slot of a bundle.
  void trace(const RetireRecord& record, Slot slot) { trace_slot(record, slot, 0); }
  // Of the contents of a place after all bundles.
  void trace_place(const std::string& name, Space space, std::uint32_t index);
  // Of a word of HBM, which only copies write.
  void trace_hbm(const std::string& name, std::uint64_t address);
  // Of a weight, which pushes write and swaps clear.
  void trace_weight(const std::string& name, const WeightPlace& place);

 private:
  static constexpr unsigned deepest = 3;
  static constexpr std::size_t most_lines = 40;

  // Of the operation being traced.
  struct At {
    const RetireRecord& record;
    unsigned depth;
  };
  void trace_slot(const RetireRecord& record, Slot slot, unsigned depth);
  void trace_operand(const At& at, const Operand& operand, const OperandValue& value);
  void trace_accumulator(const At& at, const Operand& operand, const OperandValue& value);
  void trace_memory(const At& at, const Operand& operand, const OperandValue& value);
  void add(const At& at, const std::string& name, Space space, std::uint32_t index,
           const std::string& place);
  void add_line(const std::string& operand, const Producer& producer, Space space,
                std::uint32_t index, unsigned depth);
  void add_copy(const std::string& operand, const CopyInFlight& copy);
  [[nodiscard]] std::optional<std::uint32_t> scalar(const At& at, std::uint32_t number) const;

  const Checker& checker_;
  const Image& image_;
  std::vector<OperandReport>& out_;
  std::set<std::pair<std::uint64_t, Slot>> followed_;
};

}  // namespace tandem
