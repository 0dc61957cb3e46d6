#include "compiler/tensor/lowering/handlers.hpp"

#include "llvm/ADT/StringMap.h"

namespace tandem::compiler {

Handler find_handler(llvm::StringRef name) {
  static const llvm::StringMap<Handler> table{
      {"stablehlo.constant", lower_constant},
      {"stablehlo.iota", lower_iota},
      {"stablehlo.broadcast_in_dim", lower_broadcast},
      {"stablehlo.transpose", lower_transpose},
      {"stablehlo.reverse", lower_reverse},
      {"stablehlo.reshape", lower_reshape},
      {"stablehlo.slice", lower_slice},
      {"stablehlo.pad", lower_pad},
      {"stablehlo.concatenate", lower_concatenate},
      {"stablehlo.reduce", lower_reduce},
      {"stablehlo.reduce_window", lower_reduce_window},
      {"stablehlo.dot_general", lower_dot_general},
      {"stablehlo.convolution", lower_convolution},
      {"stablehlo.sort", lower_sort},
      {"stablehlo.bitcast_convert", lower_bitcast},
      {"stablehlo.rng_bit_generator", lower_rng_bit_generator},
      {"stablehlo.select_and_scatter", lower_select_and_scatter},
      {"stablehlo.dynamic_slice", lower_dynamic_slice},
      {"stablehlo.dynamic_update_slice", lower_dynamic_update_slice},
      {"stablehlo.gather", lower_gather},
      {"stablehlo.scatter", lower_scatter},
      {"stablehlo.while", lower_while},
      {"stablehlo.case", lower_case},
      {"stablehlo.if", lower_if},
      {"stablehlo.custom_call", lower_custom_call},
      {"stablehlo.optimization_barrier", lower_forwarding},
      {"stablehlo.create_token", lower_token},
      {"stablehlo.after_all", lower_token},
  };
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

mlir::FailureOr<Values> lower_forwarding(Lowering& lowering, mlir::Operation* op) {
  return lowering.mapped(op->getOperands());
}

// Programs do everything in order as it is.
mlir::FailureOr<Values> lower_token(Lowering& lowering, mlir::Operation* op) {
  return Values{
      empty_tensor(lowering.builder, op->getLoc(), plain_tensor(op->getResult(0).getType()))};
}

}  // namespace tandem::compiler
