// The compiler's own passes, in the order of the pipeline.
#pragma once

#include <functional>
#include <memory>

#include "isa/parameters.hpp"

namespace mlir {
class Pass;
}

namespace tandem::compiler {

// Any level: MLIR's canonicalizer, which leaves to the machine what the machine computes otherwise.
std::unique_ptr<mlir::Pass> make_canonicalize_pass();

// stablehlo -> stablehlo: composites become calls of their decompositions.
std::unique_ptr<mlir::Pass> make_expand_composites_pass();
// stablehlo: operands of commutative operations in one order.
std::unique_ptr<mlir::Pass> make_order_operands_pass();
// stablehlo: every operation and type is one that the compiler has; else an error by name.
std::unique_ptr<mlir::Pass> make_check_pass();
// stablehlo: arguments and results fit so many bytes; else an error.
std::unique_ptr<mlir::Pass> make_check_room_pass(std::uint64_t room);
// stablehlo: unsigned 64-bit values that need only 32 bits get them.
std::unique_ptr<mlir::Pass> make_narrow_pass();
// stablehlo: the other ones become pairs of words.
std::unique_ptr<mlir::Pass> make_split_pairs_pass();
// stablehlo: functions in assembly that are called are found, and what they take is compared.
std::unique_ptr<mlir::Pass> make_link_functions_pass(const Parameters& machine);
// stablehlo -> tensor.
std::unique_ptr<mlir::Pass> make_lower_to_tensor_pass();
// tensor: notes how much arithmetic there is, for whoever asks what the program costs.
std::unique_ptr<mlir::Pass> make_count_operations_pass();
// tensor: notes what is known of the operands of exponentials and divisions.
std::unique_ptr<mlir::Pass> make_note_ranges_pass();
// Any level: affine.apply and its like as arithmetic.
std::unique_ptr<mlir::Pass> make_lower_affine_pass();
// tensor: fuses elementwise operations.
std::unique_ptr<mlir::Pass> make_fuse_pass();
// tensor: integer divisions by powers of two are shifts.
std::unique_ptr<mlir::Pass> make_shift_divisions_pass();
// tensor: results whose memory is shared on the way are copied.
std::unique_ptr<mlir::Pass> make_separate_results_pass();
// Buffers that the branches of a choice hand on, replaced by themselves.
std::unique_ptr<mlir::Pass> make_forward_results_pass();
// Copies from and to packed memory as arithmetic on words.
std::unique_ptr<mlir::Pass> make_expand_packed_pass();
// Operations on what does not fit VMEM, block by block.
std::unique_ptr<mlir::Pass> make_blocks_pass(const Parameters& machine);
// Buffers that fit VMEM live there.
std::unique_ptr<mlir::Pass> make_reside_pass(const Parameters& machine);
// Operands of contractions come to VMEM as a whole.
std::unique_ptr<mlir::Pass> make_stage_pass(const Parameters& machine);
// Weights that a contraction waits for come in parts; behind the tile pass.
std::unique_ptr<mlir::Pass> make_double_buffer_pass(const Parameters& machine);
std::unique_ptr<mlir::Pass> make_split_columns_pass(const Parameters& machine);
std::unique_ptr<mlir::Pass> make_early_copies_pass(const Parameters& machine);
// Brings operations on rows beside contractions that have nothing to do with them.
std::unique_ptr<mlir::Pass> make_rows_beside_pass(const Parameters& machine);
std::unique_ptr<mlir::Pass> make_split_arrivals_pass(const Parameters& machine);
// Operations on buffers are numbered, for reports by region.
std::unique_ptr<mlir::Pass> make_number_regions_pass();
// linalg on buffers -> loops over tiles in VMEM.
std::unique_ptr<mlir::Pass> make_tile_pass(const Parameters& machine);
// Contractions take bf16 operands as they are.
std::unique_ptr<mlir::Pass> make_exact_operands_pass();
// tensor: attention and its like, a tile of rows and keys at a time.
std::unique_ptr<mlir::Pass> make_online_pass(const Parameters& machine);
// tensor: packed arguments and results as words, where all on the way goes in halves.
std::unique_ptr<mlir::Pass> make_keep_packed_pass();
// tensor: bf16 weights that a loop does not change, packed before it.
std::unique_ptr<mlir::Pass> make_pair_columns_pass(const Parameters& machine);
// tensor: state of a loop that grows by columns and is multiplied by columns, with them innermost.
std::unique_ptr<mlir::Pass> make_turn_columns_pass();
// tensor: what lies behind the end of a mask is not computed.
std::unique_ptr<mlir::Pass> make_skip_masked_pass(const Parameters& machine);
// Filled tensors: one for each reader.
std::unique_ptr<mlir::Pass> make_unshare_fills_pass();
std::unique_ptr<mlir::Pass> make_unshare_empties_pass();
std::unique_ptr<mlir::Pass> make_cut_chains_pass();
// Addresses for every buffer.
std::unique_ptr<mlir::Pass> make_plan_buffers_pass(const Parameters& machine);
// buffers: an error where a buffer is overwritten that is still to be read.
std::unique_ptr<mlir::Pass> make_check_placement_pass();
// buffers -> tpu.
std::unique_ptr<mlir::Pass> make_lower_to_tpu_pass(const Parameters& machine);

// tpu: equal instructions once, invariant ones before their loops.
std::unique_ptr<mlir::Pass> make_tidy_tpu_pass();
// tpu: no more masks live at once than there are.
std::unique_ptr<mlir::Pass> make_mask_pressure_pass();

// All of the above and the upstream passes of the pipeline by name, for tandem-opt; the machine is
// asked for when a pass is made.
void register_passes(std::function<const Parameters&()> machine);

}  // namespace tandem::compiler
