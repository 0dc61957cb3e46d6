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

// ---- stablehlo: from the input to one function of supported operations.

void check_program(mlir::OpPassManager& manager, const Parameters& machine,
                   const PassOptions& options) {
  // The inliner knows calls, not composites.
  manager.addPass(make_expand_composites_pass());
  // No level below has functions, except those in assembly.
  manager.addPass(mlir::createInlinerPass());
  // Functions that are inlined everywhere would still be compiled.
  manager.addPass(mlir::createSymbolDCEPass());
  // In one function, since the tokens between calls pass through all of it.
  add(manager, make_log_calls_pass(options.log_bytes));
  // Before anything is derived from them.
  if (!options.links) manager.addPass(make_refuse_links_pass());
  // While elements still have the types that a computation on them is for.
  manager.addPass(make_expand_collectives_pass(machine));
  // No level below has complex numbers or types of fewer than 8 bits. After the inliner: only @main
  // then has arguments and results, which the launch must know.
  manager.addPass(make_split_complex_pass());
  manager.addPass(make_widen_small_pass());
  // CSE treats a + b and b + a as different.
  add(manager, make_order_operands_pass());
  // A word costs half as much as a pair, and may be an index.
  add(manager, make_narrow_integers_pass());
  // No level below has 64-bit values.
  add(manager, make_split_pairs_pass());
  // From here on, everything can be compiled. It looks at types, so it comes after both passes.
  manager.addPass(make_check_pass());
  // Before any pass whose time grows with the size of tensors.
  manager.addPass(make_check_room_pass(options.room));
  // Every operation of a body is known to be supported. Before values are in memory.
  add(manager, make_unroll_loops_pass());
  // Here arguments still have the user's types.
  manager.addPass(make_link_functions_pass(machine));
}

// ---- tensor: linalg on tensors, elementwise chains in one body each.

void to_tensor(mlir::OpPassManager& manager, const Parameters& machine) {
  manager.addPass(make_lower_to_tensor_pass(machine));
  // Operations are lowered one by one, which leaves duplicate constants, fills and slices.
  tidy_up(manager);
  // Before fusion computes anything twice.
  manager.addPass(make_count_operations_pass());
  // Each tensor still has an operation of its own, whose range is easy to determine.
  add(manager, make_note_ranges_pass());
  // Before fusion merges transposes into their consumers.
  add(manager, make_fold_transposes_pass(machine));
  // Otherwise every tensor between two operations would go through memory.
  add(manager, make_fuse_pass());
  // Only now are the constants in the bodies.
  add(manager, make_shift_divisions_pass());
  // Fusion writes a producer's own index as affine.apply, which no level below has.
  add(manager, make_lower_affine_pass());
  // Fusion copies computations into every body that needs them.
  tidy_up(manager);
}

// ---- tensor -> tiled, 1: rows, which are easier to shape on tensors than in memory.

void shape_rows(mlir::OpPassManager& manager, const Parameters& machine) {
  // What is left of them after fusion is operations of their own.
  add(manager, make_reshape_transposes_pass());
  // Reductions that no unit supports, in terms of ones that units do; before these are split into
  // stages.
  add(manager, make_split_argmax_pass());
  add(manager, make_reduce_truth_pass());
  // Before any pass looks at the length of rows.
  add(manager, make_join_dimensions_pass(machine));
  // Back-and-forth reshapes cancel.
  tidy_up(manager);
  // The remaining ones are between the launch and the program.
  add(manager, make_reshape_arguments_pass());
  // By now arguments have their final rows.
  add(manager, make_turn_narrow_rows_pass(machine));
  // Before loops are joined and cut: those of slices are some more.
  add(manager, make_unroll_reductions_pass());
  // Before loops are cut: one long loop has more parts than several short ones.
  add(manager, make_join_loops_pass(machine));
  // By now elementwise operations are in the bodies, and go into the first stage.
  add(manager, make_split_reductions_pass(machine));
  // First stages of reductions have short rows, too.
  add(manager, make_widen_rows_pass(machine));
  // Back-and-forth reshapes cancel.
  tidy_up(manager);
  // The rows of arguments have been joined by now.
  add(manager, make_reshape_arguments_pass());
}

// ---- tensor -> tiled, 2: forms of operands that units read as they are, still on tensors.

void shape_operands(mlir::OpPassManager& manager, const Parameters& machine) {
  // The unit reads bf16 exactly; this comes before the rest, as the others look at types of
  // operands.
  add(manager, make_keep_bf16_operands_pass());
  // Unused conversions would hide the operations between two contractions.
  tidy_up(manager);
  // Before any pass gives attention scores a special form.
  add(manager, make_fuse_attention_pass(machine));
  // Positions of tiles are written as affine.apply.
  add(manager, make_lower_affine_pass());
  // Loops over tiles leave slices of slices.
  tidy_up(manager);
  // Before bf16 is packed: a transposed cache has other rows to pack.
  add(manager, make_transpose_cache_pass());
  // After the previous pass, which recognizes loops with a condition.
  add(manager, make_count_loops_pass());
  // The next pass splits tensors in halves, and would split a shared fill for all its users.
  add(manager, make_unshare_fills_pass());
  // Arguments and results of bf16 are words in memory already.
  add(manager, make_keep_bf16_packed_pass());
  // Weights of loops that the previous pass left; it unpacks no words.
  add(manager, make_pair_columns_pass(machine));
  // Replaced operations would otherwise still be computed. Not CSE, which would share fillings
  // again.
  manager.addPass(make_canonicalize_pass());
  // Copies of operations that others have created, so none of them has to know about it.
  add(manager, make_specialize_prefix_masks_pass(machine));
}

// ---- tensor -> tiled, 3: tensors become buffers.

void bufferize(mlir::OpPassManager& manager) {
  // Results are then made where they go.
  add(manager, make_reshape_destinations_pass());
  // Canonicalization of tensors would undo it.
  add(manager, make_read_padded_pass());
  // Results are then made in that copy.
  add(manager, make_copy_before_insert_pass());
  // Upstream would let results overwrite values that are still needed.
  add(manager, make_separate_results_pass());
  // Upstream would miss later readers of a tensor's memory.
  add(manager, make_read_where_used_pass());
  // Upstream compares all pairs of users of an empty tensor.
  add(manager, make_unshare_empties_pass());
  // Upstream compares all pairs along a chain, for each link.
  add(manager, make_cut_chains_pass());
  // Results are made in place, not copied there.
  manager.addPass(mlir::bufferization::createEmptyTensorEliminationPass());
  const mlir::bufferization::OneShotBufferizePassOptions in_one_shot;
  manager.addPass(mlir::bufferization::createOneShotBufferizePass(in_one_shot));
  // Branches yield the same buffer, which readers cannot see.
  add(manager, make_forward_results_pass());
  // Bufferization leaves allocations and copies that are never read.
  tidy_up(manager);
  // Equal views are merged now.
  add(manager, make_write_in_place_pass());
  // Before the source and target of a copy have addresses.
  add(manager, make_exchange_in_place_pass());
  // While buffers are whole: blocks and tiles then see arithmetic on words only.
  add(manager, make_expand_packed_pass());
}

// ---- tensor -> tiled, 4: which buffers are in VMEM, and for how long.

void place(mlir::OpPassManager& manager, const Parameters& machine) {
  // First, as it makes temporaries small enough for VMEM.
  add(manager, make_cut_into_blocks_pass(machine));
  // Views of blocks are folded into their users.
  tidy_up(manager);
  // The rest of VMEM is for tiles, whose sizes depend on it.
  add(manager, make_place_in_vmem_pass(machine));
  // A buffer without a permanent place may have one for a while.
  add(manager, make_prefetch_operands_pass(machine));
}

// ---- tensor -> tiled, 5: loops over tiles.

void tile(mlir::OpPassManager& manager, const Parameters& machine, bool regions) {
  // The last point at which an operation of the program is a single operation.
  if (regions) add(manager, make_number_regions_pass());
  add(manager, make_tile_pass(machine));
  // Loops of one iteration disappear, and offsets become constants.
  tidy_up(manager);
}

// ---- tensor -> tiled, 6: copies and operations are moved next to work that they can overlap with.

void overlap(mlir::OpPassManager& manager, const Parameters& machine) {
  // First, as it decides which loops prefetch their own copies.
  add(manager, make_double_buffer_pass(machine));
  // Twins leave duplicate views.
  tidy_up(manager);
  // Copies that are waited for immediately: in parts, by rows where there is no loop,
  add(manager, make_chunk_weight_copies_pass(machine));
  // and by columns before one.
  add(manager, make_chunk_weight_columns_pass(machine));
  // In parts or not, copies start as early as they can; parts keep their order.
  add(manager, make_hoist_copies_pass(machine));
  // After these, as it separates operations that they look for side by side.
  add(manager, make_overlap_rows_pass(machine));
  // After it: overlapped operations stay whole.
  add(manager, make_send_results_pass(machine));
}

// ---- tiled -> buffers

void to_buffers(mlir::OpPassManager& manager, const Parameters& machine, std::uint64_t room) {
  // The last pass that makes or moves buffers: lifetimes are known.
  add(manager, make_plan_buffers_pass(machine));
  add(manager, make_check_temporaries_pass(room));
  // It shares no code with the passes that it checks.
  add(manager, make_check_placement_pass());
}

// ---- buffers -> tpu

void to_tpu(mlir::OpPassManager& manager, const Parameters& machine, bool start_copies) {
  manager.addPass(make_lower_to_tpu_pass(machine));
  // Scalar address arithmetic, which is still arith.
  tidy_up(manager);
  // Instructions are hidden from MLIR's CSE, which does not know their effects.
  add(manager, make_tidy_tpu_pass());
  // What the pass before it has merged or moved before loops may be kept for too long.
  add(manager, make_recompute_positions_pass());
  // After the pass that moves masks before loops, where more of them are live.
  add(manager, make_spill_masks_pass());
  // Once no other pass merges or moves copies.
  if (start_copies) add(manager, make_start_copies_pass());
  // Scalars whose users are gone.
  tidy_up(manager);
}

}  // namespace

void add_passes(mlir::OpPassManager& manager, Level from, Level to, const Parameters& machine,
                const PassOptions& options) {
  const auto leads = [&](Level level) { return from < level && level <= to; };
  // What the passes up to a level guarantee to those after it.
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
    shape_rows(manager, machine);
    shape_operands(manager, machine);
    bufferize(manager);
    place(manager, machine);
    tile(manager, machine, options.regions);
    overlap(manager, machine);
    verify(Level::tiled);
  }
  if (leads(Level::buffers)) {
    to_buffers(manager, machine, options.room);
    verify(Level::buffers);
  }
  if (leads(Level::tpu)) {
    to_tpu(manager, machine, options.start_copies);
    verify(Level::tpu);
  }
}

}  // namespace tandem::compiler
