#include "compiler/contract/levels.hpp"

#include <array>

#include "compiler/contract/passes.hpp"
#include "compiler/stats/regions.hpp"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tandem::compiler {
namespace {

constexpr std::array<llvm::StringLiteral, 8> names{"stablehlo", "tensor", "tiled", "buffers",
                                                   "tpu",       "asm",    "vliw",  "elf"};

void tidy_up(mlir::OpPassManager& manager) {
  manager.addPass(make_canonicalize_pass());
  manager.addPass(mlir::createCSEPass());
}

void prepare(mlir::OpPassManager& manager, const Parameters& machine, std::uint64_t room) {
  manager.addPass(make_expand_composites_pass());
  manager.addPass(mlir::createInlinerPass());
  manager.addPass(mlir::createSymbolDCEPass());
  manager.addNestedPass<mlir::func::FuncOp>(make_order_operands_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_narrow_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_split_pairs_pass());
  manager.addPass(make_check_pass());
  manager.addPass(make_check_room_pass(room));
  manager.addPass(make_link_functions_pass(machine));
}

void to_tensor(mlir::OpPassManager& manager) {
  manager.addPass(make_lower_to_tensor_pass());
  tidy_up(manager);
  manager.addPass(make_count_operations_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_note_ranges_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_fuse_pass());
  // Constants are in the bodies now.
  manager.addNestedPass<mlir::func::FuncOp>(make_shift_divisions_pass());
  // Fusion writes a producer's own index as affine.apply.
  manager.addNestedPass<mlir::func::FuncOp>(make_lower_affine_pass());
  tidy_up(manager);
}

void to_tiled(mlir::OpPassManager& manager, const Parameters& machine, const PassOptions& options) {
  if (options.choices != nullptr) {
    manager.addNestedPass<mlir::func::FuncOp>(make_set_choices_pass(*options.choices));
  }
  manager.addNestedPass<mlir::func::FuncOp>(make_exact_operands_pass());
  tidy_up(manager);
  manager.addNestedPass<mlir::func::FuncOp>(make_online_pass(machine));
  manager.addNestedPass<mlir::func::FuncOp>(make_lower_affine_pass());
  tidy_up(manager);
  manager.addNestedPass<mlir::func::FuncOp>(make_turn_columns_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_unshare_fills_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_keep_packed_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_pair_columns_pass(machine));
  // What has been replaced would be computed all the same. Not CSE, which shares fillings again.
  manager.addPass(make_canonicalize_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_skip_masked_pass(machine));
  manager.addNestedPass<mlir::func::FuncOp>(make_separate_results_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_unshare_empties_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_cut_chains_pass());
  manager.addPass(mlir::bufferization::createEmptyTensorEliminationPass());
  mlir::bufferization::OneShotBufferizePassOptions in_one_shot;
  manager.addPass(mlir::bufferization::createOneShotBufferizePass(in_one_shot));
  manager.addNestedPass<mlir::func::FuncOp>(make_forward_results_pass());
  tidy_up(manager);
  manager.addNestedPass<mlir::func::FuncOp>(make_expand_packed_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_blocks_pass(machine));
  tidy_up(manager);
  manager.addNestedPass<mlir::func::FuncOp>(make_reside_pass(machine));
  manager.addNestedPass<mlir::func::FuncOp>(make_stage_pass(machine));
  if (options.regions) manager.addNestedPass<mlir::func::FuncOp>(make_number_regions_pass());
  manager.addNestedPass<mlir::func::FuncOp>(make_tile_pass(machine));
  tidy_up(manager);
  manager.addNestedPass<mlir::func::FuncOp>(make_double_buffer_pass(machine));
  tidy_up(manager);
  manager.addNestedPass<mlir::func::FuncOp>(make_split_arrivals_pass(machine));
  manager.addNestedPass<mlir::func::FuncOp>(make_split_columns_pass(machine));
  manager.addNestedPass<mlir::func::FuncOp>(make_early_copies_pass(machine));
  manager.addNestedPass<mlir::func::FuncOp>(make_rows_beside_pass(machine));
}

}  // namespace

std::optional<Level> find_level(llvm::StringRef name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Level>(i);
  }
  return std::nullopt;
}

llvm::StringRef level_name(Level level) { return names[static_cast<std::size_t>(level)]; }

Level level_of(mlir::ModuleOp module) {
  const auto given = module->getAttrOfType<mlir::StringAttr>("tandem.level");
  return given ? find_level(given.getValue()).value_or(Level::stablehlo) : Level::stablehlo;
}

void add_passes(mlir::OpPassManager& manager, Level from, Level to, const Parameters& machine,
                const PassOptions& options) {
  const auto leads = [&](Level level) { return from < level && level <= to; };
  if (from == Level::stablehlo) prepare(manager, machine, options.room);
  if (leads(Level::tensor)) to_tensor(manager);
  if (leads(Level::tiled)) to_tiled(manager, machine, options);
  if (leads(Level::buffers)) {
    manager.addNestedPass<mlir::func::FuncOp>(make_plan_buffers_pass(machine));
    manager.addNestedPass<mlir::func::FuncOp>(make_check_placement_pass());
  }
  if (leads(Level::tpu)) {
    manager.addPass(make_lower_to_tpu_pass(machine));
    tidy_up(manager);
    manager.addNestedPass<mlir::func::FuncOp>(make_tidy_tpu_pass());
    manager.addNestedPass<mlir::func::FuncOp>(make_mask_pressure_pass());
    tidy_up(manager);
  }
}

}  // namespace tandem::compiler
