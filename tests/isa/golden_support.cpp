#include "golden_support.hpp"

#include <catch2/catch.hpp>
#include <cstring>

namespace tandem::test {

SlotOperation op(Slot slot, Op which, std::initializer_list<OperandValue> operands) {
  SlotOperation result{slot, Operation{which, 0, false, {}}};
  const OperandList& rows = instruction(which).operands;
  for (std::size_t i = 0; i < rows.count; ++i) {
    result.operation.operands[i] = default_value(*rows.items[i]);
  }
  REQUIRE(operands.size() <= rows.count);
  std::size_t i = 0;
  for (const OperandValue& value : operands) result.operation.operands[i++] = value;
  return result;
}

SlotOperation when(std::int32_t predicate, bool negate, SlotOperation operation) {
  operation.operation.predicate = static_cast<std::uint8_t>(predicate);
  operation.operation.negate = negate;
  return operation;
}

Program::Program(std::string_view preset) : image_(std::make_unique<Image>()) {
  image_->preset = find_preset(preset);
}

std::uint32_t Program::raw(const Bundle& bundle) {
  image_->text.push_back(bundle);
  return static_cast<std::uint32_t>(image_->text.size() - 1);
}

std::uint32_t Program::bundle(std::initializer_list<SlotOperation> operations) {
  Bundle bits{};
  for (const SlotOperation& item : operations) {
    const Instruction& row = instruction(item.operation.op);
    REQUIRE(slot_accepts(item.slot, row.group));
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      REQUIRE(fits(*row.operands.items[i], item.operation.operands[i]));
    }
    set_slot_bits(bits, item.slot, encode(item.operation));
  }
  return raw(bits);
}

void Program::smem(std::uint32_t address, const std::vector<std::uint32_t>& words) {
  for (const std::uint32_t word : words) {
    bundle({op(Slot::sa, Op::mov, {reg(31), number(static_cast<std::int32_t>(word))})});
    bundle({op(Slot::sb, Op::sst, {at(0, static_cast<std::int32_t>(address++)), reg(31)})});
  }
}

std::vector<std::uint32_t> Descriptor::words() const {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); };
  std::vector<std::uint32_t> result{source_memory << 8U | destination_memory << 10U | flag << 16U,
                                    amount,
                                    low(source),
                                    high(source),
                                    low(destination),
                                    high(destination),
                                    length};
  for (const Dimension& dimension : dimensions) {
    result.push_back(dimension.count);
    result.push_back(static_cast<std::uint32_t>(dimension.source_stride));
    result.push_back(static_cast<std::uint32_t>(dimension.destination_stride));
  }
  return result;
}

void Program::copy(const Descriptor& descriptor) {
  smem(0, descriptor.words());
  bundle({op(Slot::dma, Op::copy, {at(0, 0)})});
}

void Program::vmem(std::uint32_t row, const std::vector<std::uint32_t>& words) {
  hbm(next_data_, words);
  Descriptor descriptor;
  descriptor.flag = 31;
  descriptor.source = next_data_;
  descriptor.destination = std::uint64_t{row} * parameters().row_bytes();
  descriptor.length = static_cast<std::uint32_t>(words.size() * 4);
  copy(descriptor);
  wait(31, ++loads_);
  next_data_ += 0x1'0000;
}

void Program::hbm(std::uint64_t address, const std::vector<std::uint32_t>& words) {
  HbmSegment segment{address, std::vector<std::uint8_t>(words.size() * 4)};
  std::memcpy(segment.bytes.data(), words.data(), segment.bytes.size());
  segments_.push_back(std::move(segment));
}

GoldenModel Program::model(GoldenOptions options) {
  Launch launch;
  launch.image = image_.get();
  launch.segments = segments_;
  launch.hbm_bytes = hbm_bytes;
  launch.argument_pointer = 0x1'2345'6000;
  return GoldenModel(launch, std::move(options));
}

GoldenModel Program::run(GoldenOptions options) {
  GoldenModel result = model(std::move(options));
  records.clear();
  RetireRecord record;
  for (int i = 0; i < 1'000'000 && result.status() == RunStatus::running; ++i) {
    result.step(&record);
    records.push_back(record);
  }
  return result;
}

GoldenOptions unchecked() { return {false, false, {}}; }

void check_same(const GoldenModel& a, const GoldenModel& b) {
  CHECK(a.status() == b.status());
  CHECK(a.trap() == b.trap());
  CHECK(a.pc() == b.pc());
  CHECK(a.bundles() == b.bundles());
  CHECK(a.state().scalars == b.state().scalars);
  CHECK(a.state().predicates == b.state().predicates);
  CHECK(a.state().flags == b.state().flags);
  CHECK(a.state().smem == b.state().smem);
  CHECK(a.state().vmem == b.state().vmem);
  CHECK(a.state().vectors == b.state().vectors);
  CHECK(a.state().masks == b.state().masks);
  CHECK(a.state().accumulators == b.state().accumulators);
  CHECK(a.state().weights == b.state().weights);
  CHECK(a.hbm().first_difference(b.hbm()) == std::nullopt);
}

}  // namespace tandem::test
