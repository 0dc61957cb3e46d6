// `custom_call @tandem_ring` (stablehlo/collectives/expand.cpp): parts that go round a ring of
// devices, gathered, reduced, or both, as a kernel. They are in dense buffers in HBM, the result in
// one that is the program's own.
#include "compiler/functions/ring_text.hpp"
#include "compiler/tensor/lowering/exchange/exchange_call.hpp"
#include "compiler/tensor/lowering/exchange/ring_group.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "isa/instructions.hpp"
#include "llvm/Support/MathExtras.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

// The attributes of the call; a text may contain anything.
mlir::FailureOr<Ring> ring_of(mlir::Operation* op, const RingGroup& group) {
  const auto lanes = integer(op, "lanes");
  const auto block = integer(op, "block_words");
  const auto gathers = op->getAttrOfType<mlir::BoolAttr>("gathers");
  if (mlir::failed(lanes) || mlir::failed(block) || !gathers) {
    return op->emitError("a ring has members, places, flags, and whether it gathers");
  }
  const Instruction* const combine = find_instruction(std::string_view(text(op, "combine")));
  if (!llvm::isPowerOf2_64(static_cast<std::uint64_t>(*lanes)) || !is_below(*lanes, 1025) ||
      *block < 0 ||
      (!text(op, "combine").empty() && (combine == nullptr || combine->group != Group::valu))) {
    return op->emitError("a ring has lanes, words of a block, and an operation on vectors");
  }
  return Ring{group.places,
              0,
              text(op, "combine").str(),
              gathers.getValue(),
              group.has_table,
              static_cast<std::uint32_t>(*lanes),
              static_cast<std::uint32_t>(*block),
              group.ready_flag,
              group.right_flag,
              group.left_flag,
              group.local_flag};
}

mlir::LogicalResult check_parts(mlir::Operation* op, const Ring& ring, std::int64_t sent,
                                std::int64_t received, std::int64_t words) {
  const bool reduces = !ring.combine.empty();
  const std::int64_t vectors = std::int64_t{16} * ring.lanes;
  const bool is_whole = !reduces || (ring.block_words != 0 && words % vectors == 0 &&
                                     ring.block_words % vectors == 0);
  if (sent != (reduces ? ring.places : 1) || received != (ring.gathers ? ring.places : 1) ||
      words == 0 || !is_whole || (!reduces && !ring.gathers)) {
    return op->emitError("a ring takes and gives its devices' parts");
  }
  return check_message(op, words);
}

}  // namespace

mlir::FailureOr<Values> lower_ring(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const auto rows = exchange_rows(op);
  if (mlir::failed(rows)) return mlir::failure();
  const auto& [from, to] = *rows;
  const auto group = ring_group(op);
  if (mlir::failed(group)) return mlir::failure();
  auto ring = ring_of(op, *group);
  if (mlir::failed(ring) || mlir::failed(check_parts(op, *ring, from.getDimSize(0),
                                                     to.getDimSize(0), from.getDimSize(1)))) {
    return mlir::failure();
  }
  ring->part_words = static_cast<std::uint32_t>(from.getDimSize(1));
  Values inputs{sent_rows(lowering, op)};
  if (ring->has_table) inputs.push_back(word_buffer(builder, loc, group->table()));
  const Value received = memref::AllocOp::create(builder, loc, words_of(word_type(to)));
  const std::string kernel = ring_text(*ring);
  return call_exchange(lowering, op, std::move(inputs), received, ring_vmem_words(*ring),
                       {kernel, "", ring_smem_words()}, group->last_pair);
}

}  // namespace tandem::compiler
