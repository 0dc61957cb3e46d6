// Words in VMEM to the bf16 that they hold: L words of a row make two chunks of L elements. A
// permutation of lanes brings each word to both of its elements, of which the even one takes the
// low half.
#include "compiler/tiled/access.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/tpu/tpu_builder.hpp"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

struct Side {
  VmemRow row;
  std::int64_t pitch = 1;  // rows of VMEM
  std::int64_t columns = 0;
};

class UnpackLowering : TpuBuilder {
 public:
  UnpackLowering(mlir::OpBuilder& builder, const Parameters& machine, mlir::linalg::LinalgOp op)
      : TpuBuilder(builder, op.getLoc()), machine_(machine), op_(op) {}

  mlir::LogicalResult run(Memory& memory);

 private:
  void group(OpFoldResult from, OpFoldResult to, std::int64_t count);
  void chunk(OpFoldResult from, OpFoldResult to, std::int64_t number, std::int64_t count,
             bool is_last);
  // Calls the body with the places of `whole` turns on both sides.
  void repeat(std::int64_t whole, std::int64_t from_step, std::int64_t to_step, std::int64_t few,
              llvm::function_ref<void(OpFoldResult, OpFoldResult)> body);
  VmemAddress address(const Side& side, OpFoldResult place, std::int64_t beyond,
                      std::int64_t count);
  Value lane_mask(std::int64_t count) {
    if (count >= machine_.lanes) return {};
    return make("vlt.s32", {make("vlane"), constant(count)});
  }

  const Parameters& machine_;
  mlir::linalg::LinalgOp op_;
  Side source_;
  Side target_;
};

VmemAddress UnpackLowering::address(const Side& side, OpFoldResult place, std::int64_t beyond,
                                    std::int64_t count) {
  if (side.row.moved) place = add(builder_, loc_, place, side.row.moved);
  VmemAddress address = vmem_address(builder_, loc_, side.row.fixed + beyond, place);
  address.attributes.push_back(number("rows", count));
  if (count > 1 && side.pitch != 1) address.attributes.push_back(number("stride", side.pitch));
  return address;
}

// `number` chunks of words behind `from`, twice as many of elements behind `to`.
void UnpackLowering::chunk(OpFoldResult from, OpFoldResult to, std::int64_t number,
                           std::int64_t count, bool is_last) {
  const std::int64_t lanes = machine_.lanes;
  const std::int64_t words = is_last ? (source_.columns - 1) % lanes + 1 : lanes;
  const std::int64_t elements =
      is_last ? target_.columns - (source_.columns - words) * 2 : 2 * lanes;
  VmemAddress load = address(source_, from, number, count);
  if (const Value mask = lane_mask(words)) load.registers.push_back(mask);
  const Value packed = make("vld", load.registers, load.attributes);
  const Value lane = make("vlane");
  const Value pair = make("vshr", {lane, constant(1)});
  const Value is_odd = make("veq.s32", {make("vand", {lane, constant(1)}), constant(1)});
  for (std::int64_t half = 0; half < 2 && half * lanes < elements; ++half) {
    const Value from_lane = half == 0 ? pair : make("vadd.s32", {pair, constant(lanes / 2)});
    const Value spread = make("lperm", {packed, from_lane});
    const Value element =
        make("vsel", {is_odd, spread, spread}, {text("x", "hi"), text("y", "lo")});
    VmemAddress store = address(target_, to, 2 * number + half, count);
    store.registers.push_back(element);
    if (const Value mask = lane_mask(elements - half * lanes)) store.registers.push_back(mask);
    make("vst", store.registers, store.attributes);
  }
}

void UnpackLowering::repeat(std::int64_t whole, std::int64_t from_step, std::int64_t to_step,
                            std::int64_t few,
                            llvm::function_ref<void(OpFoldResult, OpFoldResult)> body) {
  if (whole <= few) {
    for (std::int64_t i = 0; i < whole; ++i) {
      body(builder_.getIndexAttr(i * from_step), builder_.getIndexAttr(i * to_step));
    }
    return;
  }
  mlir::scf::ForOp::create(
      builder_, loc_, constant(0), constant(whole * from_step), constant(from_step), constant(0),
      [&](mlir::OpBuilder&, mlir::Location at, Value from, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(from.getParentBlock());
        body(from, carried.front());
        const Value next =
            mlir::arith::AddIOp::create(builder_, at, carried.front(), constant(to_step));
        mlir::scf::YieldOp::create(builder_, at, next);
      });
}

// All chunks of up to eight rows.
void UnpackLowering::group(OpFoldResult from, OpFoldResult to, std::int64_t count) {
  constexpr std::int64_t few = 3;
  const std::int64_t chunks = (source_.columns + machine_.lanes - 1) / machine_.lanes;
  repeat(chunks - 1, 1, 2, few, [&](OpFoldResult source, OpFoldResult target) {
    chunk(add(builder_, loc_, from, source), add(builder_, loc_, to, target), 0, count, false);
  });
  chunk(from, to, chunks - 1, count, true);
}

mlir::LogicalResult UnpackLowering::run(Memory& memory) {
  const auto read = [&](unsigned operand, Side& side) {
    const Value buffer = op_->getOperand(operand);
    const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t ignored = 0;
    const auto row = memory.row_of(builder_, buffer);
    if (mlir::failed(row) || mlir::failed(type.getStridesAndOffset(strides, ignored))) return false;
    side = {*row, strides.front() / machine_.lanes, type.getShape().back()};
    return true;
  };
  if (!read(0, source_) || !read(1, target_)) return mlir::failure();
  const std::int64_t rows = op_.getStaticLoopRanges().front();
  const std::int64_t whole = rows / sublanes;
  repeat(whole, sublanes * source_.pitch, sublanes * target_.pitch, 1,
         [&](OpFoldResult from, OpFoldResult to) { group(from, to, sublanes); });
  if (const std::int64_t rest = rows % sublanes; rest != 0) {
    group(builder_.getIndexAttr(whole * sublanes * source_.pitch),
          builder_.getIndexAttr(whole * sublanes * target_.pitch), rest);
  }
  return mlir::success();
}

}  // namespace

mlir::LogicalResult lower_unpack(mlir::OpBuilder& builder, Memory& memory,
                                 const Parameters& machine, mlir::linalg::LinalgOp op) {
  return UnpackLowering(builder, machine, op).run(memory);
}

}  // namespace tandem::compiler
