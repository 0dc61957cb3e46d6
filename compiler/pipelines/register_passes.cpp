#include "compiler/contract/passes.hpp"

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tandem::compiler {

void register_passes(std::function<const Parameters&()> machine) {
  mlir::registerPass(make_canonicalize_pass);
  mlir::registerPass(make_expand_composites_pass);
  mlir::registerPass(make_order_operands_pass);
  mlir::registerPass(make_narrow_pass);
  mlir::registerPass(make_split_pairs_pass);
  mlir::registerPass(make_check_pass);
  mlir::registerPass(make_lower_to_tensor_pass);
  mlir::registerPass(make_count_operations_pass);
  mlir::registerPass(make_note_ranges_pass);
  mlir::registerPass(make_fuse_pass);
  mlir::registerPass(make_lower_affine_pass);
  mlir::registerPass(make_shift_divisions_pass);
  mlir::registerPass(make_separate_results_pass);
  mlir::registerPass(make_exact_operands_pass);
  mlir::registerPass(make_unshare_fills_pass);
  mlir::registerPass(make_unshare_empties_pass);
  mlir::registerPass(make_cut_chains_pass);
  mlir::registerPass(make_keep_packed_pass);
  mlir::registerPass(make_turn_columns_pass);
  mlir::registerPass(make_tidy_tpu_pass);
  mlir::registerPass(make_mask_pressure_pass);
  mlir::registerPass(make_forward_results_pass);
  mlir::registerPass(make_expand_packed_pass);
  mlir::registerPass([machine] { return make_link_functions_pass(machine()); });
  mlir::registerPass([machine] { return make_pair_columns_pass(machine()); });
  mlir::registerPass([machine] { return make_online_pass(machine()); });
  mlir::registerPass([machine] { return make_skip_masked_pass(machine()); });
  mlir::registerPass([machine] { return make_blocks_pass(machine()); });
  mlir::registerPass([machine] { return make_reside_pass(machine()); });
  mlir::registerPass([machine] { return make_stage_pass(machine()); });
  mlir::registerPass([machine] { return make_double_buffer_pass(machine()); });
  mlir::registerPass([machine] { return make_split_columns_pass(machine()); });
  mlir::registerPass([machine] { return make_early_copies_pass(machine()); });
  mlir::registerPass([machine] { return make_rows_beside_pass(machine()); });
  mlir::registerPass([machine] { return make_split_arrivals_pass(machine()); });
  mlir::registerPass([machine] { return make_tile_pass(machine()); });
  mlir::registerPass([machine] { return make_plan_buffers_pass(machine()); });
  mlir::registerPass([] { return make_check_placement_pass(); });
  mlir::registerPass([machine] { return make_lower_to_tpu_pass(machine()); });
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerSymbolDCEPass();
  mlir::bufferization::registerEmptyTensorEliminationPass();
  mlir::bufferization::registerOneShotBufferizePass();
}

}  // namespace tandem::compiler
