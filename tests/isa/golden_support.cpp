#include "golden_support.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "isa/object/link.hpp"

namespace tandem::test {

Placed operation(Slot slot, Op which, std::initializer_list<OperandValue> operands) {
  const Placed placed{make_operation(which, {operands.begin(), operands.size()})};
  return placed.in(slot);
}

Program::Program(std::string_view preset) : preset_(*find_preset(preset)), object_(preset_) {}

void Program::smem(std::uint32_t address, const std::vector<std::uint32_t>& words) {
  for (const std::uint32_t word : words) {
    bundle({op::mov(s(31), word)});
    bundle({op::sst(Smem(static_cast<std::int32_t>(address++)), s(31))});
  }
}

void Program::copy(const CopyDescriptor& descriptor) {
  smem(0, descriptor.words());
  bundle({op::copy(Descriptor(0), s(0), s(0))});
}

void Program::vmem(std::uint32_t row, const std::vector<std::uint32_t>& words) {
  hbm(next_data_, words);
  CopyDescriptor descriptor;
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
  const LinkInput input{"test", object_.finish()};
  images_.push_back(std::make_unique<Image>(make_image(link(std::span(&input, 1)).program)));
  images_.back()->entry_pc = entry_pc_;
  Launch launch;
  launch.image = images_.back().get();
  launch.segments = segments_;
  launch.hbm_bytes = hbm_bytes;
  launch.argument_pointer = 0x1'2345'6000;
  launch.start_copies = start_copies;
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
