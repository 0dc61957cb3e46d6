// Start copies of random programs: from a tensor, which a launch fills, to pieces of VMEM that do
// not overlap. The program waits for all of them before anything else touches VMEM.
#include <utility>

#include "cosim/random/builder.hpp"

namespace tandem {

using namespace builder;  // NOLINT: every name is a register or an operation

namespace {

// Two flags that no channel has; the prologue's is the last one.
constexpr std::uint32_t start_flags[] = {29, 30};
constexpr std::uint32_t tensor_words = 4096;

}  // namespace

void ProgramBuilder::make_start_copies() {
  const std::uint32_t count = knobs_.start_copies;
  std::swap(rng_, start_rng_);
  const MemoryRegion from{static_cast<std::uint32_t>(MemorySpace::hbm), 0, tensor_words};
  const MemoryRegion all{static_cast<std::uint32_t>(MemorySpace::vmem), 0,
                         parameters_.vmem_words() / 2};
  for (std::uint32_t number = 0; number < count; ++number) {
    const MemoryRegion to = all.part(number, count);
    StartCopy copy;
    CopyDescriptor fields = random_move(from, to);
    fields.flag = rng_.pick(start_flags);
    copy.words = fields.words();
    start_copies_.push_back(copy);
  }
  std::swap(rng_, start_rng_);
}

void ProgramBuilder::wait_for_start_copies() {
  for (const std::uint32_t flag : start_flags) {
    std::uint32_t total = 0;
    for (const StartCopy& copy : start_copies_) {
      const CopyDescriptor fields = descriptor_of(copy.words);
      if (fields.flag == flag) total += fields.amount;
    }
    if (total == 0) continue;
    set_scalar(s(1), total);
    Draft wait;
    wait.set(Slot::dma, op::wait(f(flag), s(1)));
    emit(std::move(wait));
  }
}

Tensor ProgramBuilder::start_tensor() {
  Tensor tensor;
  tensor.name = "start";
  tensor.type = ElementType::u32;
  tensor.dimensions = {tensor_words};
  tensor.output = true;
  return tensor;
}

}  // namespace tandem
