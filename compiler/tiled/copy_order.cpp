#include "compiler/tiled/copy_order.hpp"

#include "compiler/views/access.hpp"

namespace tandem::compiler {

using mlir::Value;
using mlir::memref::CopyOp;

bool may_swap(CopyOp one, CopyOp other) {
  const Value source = buffer_behind(one.getSource());
  const Value target = buffer_behind(one.getTarget());
  const Value written = buffer_behind(other.getTarget());
  return buffer_behind(other.getSource()) != target && written != target && written != source;
}

bool may_move_after(CopyOp copy, mlir::Operation* last) {
  for (mlir::Operation* op = copy; op != last;) {
    op = op->getNextNode();
    auto other = mlir::dyn_cast<CopyOp>(op);
    if (other && !may_swap(copy, other)) return false;
  }
  return true;
}

}  // namespace tandem::compiler
