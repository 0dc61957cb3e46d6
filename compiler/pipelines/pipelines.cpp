#include "compiler/pipelines/pipelines.hpp"

#include "compiler/contract/passes.hpp"
#include "compiler/contract/verify_level.hpp"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tandem::compiler {
namespace {

// A pass on functions.
void add(mlir::OpPassManager& manager, std::unique_ptr<mlir::Pass> pass) {
  manager.addNestedPass<mlir::func::FuncOp>(std::move(pass));
}

void tidy_up(mlir::OpPassManager& manager) {
  manager.addPass(make_canonicalize_pass());
  manager.addPass(mlir::createCSEPass());
}

// ---- stablehlo: from what was read to one function that the compiler has everything for.

void check_program(mlir::OpPassManager& manager, const Parameters& machine,
                   const PassOptions& options) {
  // The inliner knows calls, not composites.
  manager.addPass(make_expand_composites_pass());
  // Nothing below knows functions, but for those in assembly.
  manager.addPass(mlir::createInlinerPass());
  // Functions that are inlined everywhere would be compiled all the same.
  manager.addPass(mlir::createSymbolDCEPass());
  // In one function, since what goes from call to call goes through all of it.
  add(manager, make_log_calls_pass(options.log_bytes));
  // Before anything is made of them.
  if (!options.links) manager.addPass(make_refuse_links_pass());
  // While elements have the types that a computation of theirs is for.
  manager.addPass(make_expand_collectives_pass(machine));
  // No level below has complex numbers, nor types of fewer than 8 bits. After the inliner: only
  // @main has arguments and results that the launch must know.
  manager.addPass(make_split_complex_pass());
  manager.addPass(make_widen_small_pass());
  // CSE takes a + b and b + a for two things.
  add(manager, make_order_operands_pass());
  // A word costs half of a pair, and may be an index.
  add(manager, make_narrow_integers_pass());
  // No level below has 64-bit values.
  add(manager, make_split_pairs_pass());
  // From here on, what there is can be compiled. It looks at types, so it comes after both of them.
  manager.addPass(make_check_pass());
  // Before anything that takes time which grows with the tensors.
  manager.addPass(make_check_room_pass(options.room));
  // Here arguments still have the types that the user gave them.
  manager.addPass(make_link_functions_pass(machine));
}

// ---- tensor: linalg on tensors, elementwise chains in one body each.

void to_tensor(mlir::OpPassManager& manager, const Parameters& machine) {
  manager.addPass(make_lower_to_tensor_pass(machine));
  // Lowered one by one, operations leave equal constants, fills and slices behind.
  tidy_up(manager);
  // Before fusion computes anything twice.
  manager.addPass(make_count_operations_pass());
  // Each tensor is made by an operation of its own still, whose range is easy to tell.
  add(manager, make_note_ranges_pass());
  // Before fusion makes transposes part of what reads them.
  add(manager, make_fold_transposes_pass());
  // Every tensor between two operations would go through memory.
  add(manager, make_fuse_pass());
  // Constants are in the bodies only now.
  add(manager, make_shift_divisions_pass());
  // Fusion writes a producer's own index as affine.apply, which no level below has.
  add(manager, make_lower_affine_pass());
  // Fusion copies what several bodies need into each.
  tidy_up(manager);
}

// ---- tensor -> tiled, 1: what is easier to see while there are tensors, and no memory.

void shape_tensors(mlir::OpPassManager& manager, const Parameters& machine) {
  // Reductions that no unit has, by ones that they have; before these go in stages.
  add(manager, make_split_argmax_pass());
  add(manager, make_reduce_truth_pass());
  // Before anything asks how long rows are.
  add(manager, make_join_dimensions_pass(machine));
  // Reshapes to and fro go.
  tidy_up(manager);
  // What is left of them is between the launch and the program.
  add(manager, make_reshape_arguments_pass());
  // Arguments have the rows by now that they will have.
  add(manager, make_turn_narrow_rows_pass(machine));
  // Before loops are cut: one that is long has more parts than several that are short.
  add(manager, make_join_loops_pass(machine));
  // Elementwise operations are in the bodies now, and go into the first stage.
  add(manager, make_split_reductions_pass(machine));
  // First stages of reductions have short rows, too.
  add(manager, make_widen_rows_pass(machine));
  // Reshapes to and fro go.
  tidy_up(manager);
  // Rows of arguments are joined now.
  add(manager, make_reshape_arguments_pass());
  // The unit reads bf16 exactly; this comes before the rest, as the others look at types of
  // operands.
  add(manager, make_keep_bf16_operands_pass());
  // Conversions that nobody takes any more would hide what stands between two contractions.
  tidy_up(manager);
  // Before anything gives the scores of an attention a form of their own.
  add(manager, make_fuse_attention_pass(machine));
  // Positions of tiles are written as affine.apply.
  add(manager, make_lower_affine_pass());
  // Loops over tiles leave slices of slices.
  tidy_up(manager);
  // Before bf16 is packed: a transposed cache has other rows to pack.
  add(manager, make_transpose_cache_pass());
  // After the pass before, which knows loops with a condition.
  add(manager, make_count_loops_pass());
  // The next pass splits tensors in halves, and a fill that is shared would be split for all.
  add(manager, make_unshare_fills_pass());
  // Arguments and results of bf16 are words in memory already.
  add(manager, make_keep_bf16_packed_pass());
  // Weights of loops that the pass before has left; it takes no words apart.
  add(manager, make_pair_columns_pass(machine));
  // What has been replaced would be computed all the same. Not CSE, which shares fillings again.
  manager.addPass(make_canonicalize_pass());
  // Copies of what others have made of the operations, so none of them has to know of it.
  add(manager, make_specialize_prefix_masks_pass(machine));
}

// ---- tensor -> tiled, 2: tensors become buffers.

void bufferize(mlir::OpPassManager& manager) {
  // Upstream would let results overwrite what is still needed.
  add(manager, make_separate_results_pass());
  // Upstream would not see who reads a tensor's memory later.
  add(manager, make_read_where_used_pass());
  // Upstream compares all that share an empty tensor with each other.
  add(manager, make_unshare_empties_pass());
  // Upstream compares all along a chain with each other, for each link.
  add(manager, make_cut_chains_pass());
  // Results are made where they are wanted, not copied there.
  manager.addPass(mlir::bufferization::createEmptyTensorEliminationPass());
  const mlir::bufferization::OneShotBufferizePassOptions in_one_shot;
  manager.addPass(mlir::bufferization::createOneShotBufferizePass(in_one_shot));
  // Branches hand on one and the same buffer, which readers cannot see.
  add(manager, make_forward_results_pass());
  // Bufferization leaves allocations and copies that nobody reads.
  tidy_up(manager);
  // Views that are the same are one now.
  add(manager, make_write_in_place_pass());
  // Before what is copied between has a place.
  add(manager, make_exchange_in_place_pass());
  // While buffers are whole: blocks and tiles then see arithmetic on words only.
  add(manager, make_expand_packed_pass());
}

// ---- tensor -> tiled, 3: which buffers live in VMEM, and for how long.

void place(mlir::OpPassManager& manager, const Parameters& machine) {
  // First, as it makes temporaries small enough for a place.
  add(manager, make_cut_into_blocks_pass(machine));
  // Views of blocks are folded into those that use them.
  tidy_up(manager);
  // The rest of VMEM is for tiles, whose sizes depend on it.
  add(manager, make_place_in_vmem_pass(machine));
  // What got no place for good may have one for a while.
  add(manager, make_prefetch_operands_pass(machine));
}

// ---- tensor -> tiled, 4: loops over tiles.

void tile(mlir::OpPassManager& manager, const Parameters& machine, bool regions) {
  // The last time that an operation of the program is one operation.
  if (regions) add(manager, make_number_regions_pass());
  add(manager, make_tile_pass(machine));
  // Loops of one turn go, and offsets become numbers.
  tidy_up(manager);
}

// ---- tensor -> tiled, 5: copies and operations next to what they can overlap with.

void overlap(mlir::OpPassManager& manager, const Parameters& machine) {
  // First, as it decides which loops bring their own copies in time.
  add(manager, make_double_buffer_pass(machine));
  // Twins leave views that are the same.
  tidy_up(manager);
  // Copies that something waits for at once: in parts, by rows where there is no loop,
  add(manager, make_chunk_weight_copies_pass(machine));
  // and by columns before one.
  add(manager, make_chunk_weight_columns_pass(machine));
  // In parts or not, what can start earlier does; parts keep their order.
  add(manager, make_hoist_copies_pass(machine));
  // After these, as it moves operations apart that they look for side by side.
  add(manager, make_overlap_rows_pass(machine));
  // After it: what stands beside an operation stays whole.
  add(manager, make_send_results_pass(machine));
}

// ---- tiled -> buffers

void to_buffers(mlir::OpPassManager& manager, const Parameters& machine) {
  // Last of all that makes or moves buffers: lives are known.
  add(manager, make_plan_buffers_pass(machine));
  // It shares no code with the passes that it checks.
  add(manager, make_check_placement_pass());
}

// ---- buffers -> tpu

void to_tpu(mlir::OpPassManager& manager, const Parameters& machine) {
  manager.addPass(make_lower_to_tpu_pass(machine));
  // Scalar arithmetic of addresses, which is arith still.
  tidy_up(manager);
  // Instructions are no business of MLIR's CSE, which knows none of their effects.
  add(manager, make_tidy_tpu_pass());
  // After what brings masks before loops, where more of them live.
  add(manager, make_spill_masks_pass());
  // Scalars of what is gone.
  tidy_up(manager);
}

}  // namespace

void add_passes(mlir::OpPassManager& manager, Level from, Level to, const Parameters& machine,
                const PassOptions& options) {
  const auto leads = [&](Level level) { return from < level && level <= to; };
  // What the passes up to a level promise to those after it.
  const auto verify = [&](Level level) { manager.addPass(make_verify_level_pass(level)); };
  if (from == Level::stablehlo) {
    check_program(manager, machine, options);
    verify(Level::stablehlo);
  }
  if (leads(Level::tensor)) {
    to_tensor(manager, machine);
    verify(Level::tensor);
  }
  if (leads(Level::tiled)) {
    // Decisions are named from here on.
    if (options.choices != nullptr) add(manager, make_set_choices_pass(*options.choices));
    shape_tensors(manager, machine);
    bufferize(manager);
    place(manager, machine);
    tile(manager, machine, options.regions);
    overlap(manager, machine);
    verify(Level::tiled);
  }
  if (leads(Level::buffers)) {
    to_buffers(manager, machine);
    verify(Level::buffers);
  }
  if (leads(Level::tpu)) {
    to_tpu(manager, machine);
    verify(Level::tpu);
  }
}

}  // namespace tandem::compiler
