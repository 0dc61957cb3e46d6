// A contraction on tiles in VMEM as pushes, multiplies and reads of the matrix unit.
//
// fp32 enters the unit rounded to bf16. HIGH and HIGHEST split each operand into parts of bf16 that
// add up to it, and multiply those pairs of parts whose products matter: one set of weights for
// each part of the right operand.
#include "compiler/tiled/access.hpp"
#include "compiler/tpu/contraction_tile.hpp"
#include "compiler/tpu/expansions/expansions.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/tpu/tpu_builder.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

// A part of the right operand, and how many parts of the left meet it.
struct Pass {
  int right = 0;
  int left_parts = 1;
};

// An operand that is bf16 already has but one part.
llvm::SmallVector<Pass> passes_of(llvm::StringRef precision, bool left_exact, bool right_exact) {
  llvm::SmallVector<Pass> passes{{0, 1}};
  if (precision == "HIGHEST") passes = {{0, 3}, {1, 2}, {2, 1}};
  if (precision == "HIGH") passes = {{0, 2}, {1, 1}};
  if (right_exact) passes.resize(1);
  for (Pass& pass : passes) {
    if (left_exact) pass.left_parts = 1;
  }
  return passes;
}

// Written-out multiplications of one set of weights; as long as a push of all rows takes at least.
std::int64_t most_written_out(const Parameters& machine) {
  return std::max<std::int64_t>(15, machine.lanes / 4 - 1);
}

// Two views of a buffer with the same rows, one beside the other.
bool are_beside(Value one, Value other) {
  const auto a = mlir::cast<mlir::MemRefType>(one.getType());
  const auto b = mlir::cast<mlir::MemRefType>(other.getType());
  Sizes strides;
  Sizes same;
  std::int64_t offset = 0;
  if (a.getRank() != 2 || a.getShape() != b.getShape() || !a.hasStaticShape() ||
      mlir::failed(a.getStridesAndOffset(strides, offset)) ||
      mlir::failed(b.getStridesAndOffset(same, offset)) || strides != same || strides[1] != 1) {
    return false;
  }
  const auto apart = distance(one, other);
  if (!apart || strides[0] <= 0) return false;
  const std::int64_t columns = a.getDimSize(1);
  const std::int64_t along = ((*apart % strides[0]) + strides[0]) % strides[0];
  return along >= columns && along + columns <= strides[0];
}

// A builder that the lowering takes along: it may end where the next one stands.
struct OwnBuilder {
  explicit OwnBuilder(const mlir::OpBuilder& builder) : own(builder) {}
  mlir::OpBuilder own;
};

class ContractionLowering : OwnBuilder, TpuBuilder, public OpenContraction {
 public:
  ContractionLowering(const mlir::OpBuilder& builder, Memory& memory, const Parameters& machine,
                      mlir::linalg::LinalgOp op)
      : OwnBuilder(builder),
        TpuBuilder(own, op.getLoc()),
        memory_(memory),
        machine_(machine),
        op_(op) {}

  // `before` is open.
  mlir::LogicalResult run(ContractionLowering* before);
  // Whether there is something left to do.
  [[nodiscard]] bool is_open() const { return left_over_.has_value(); }
  [[nodiscard]] bool allows(mlir::Operation* op) const override;
  void close(mlir::OpBuilder& builder) override;

 private:
  using Tile = ContractionTile;

  // A chunk of the depth: `number` behind the first of `turn`, which has `length` of them.
  struct Chunk {
    OpFoldResult turn;
    std::int64_t length = 0;
    std::int64_t number = 0;
    std::int64_t half = 0;
  };

  // A tile of columns: `number` behind the one that a loop is at, if it is in one.
  struct Columns {
    std::int64_t number = 0;
    Value loop = {};
    Value accumulator = {};  // its first one, where the loop says which
  };

  // One set of weights, and what is multiplied with it.
  struct Step {
    Chunk chunk;
    std::size_t pass = 0;
    Columns tile;
  };

  void chunk(const Step& first, std::optional<Step> next, bool adds);
  void step(const Step& now, bool adds, llvm::function_ref<void()> push_next);
  // Where the rest of an open contraction goes: its last step, and then its results.
  void go_on_at(const mlir::OpBuilder& builder) {
    own.restoreInsertionPoint(builder.saveInsertionPoint());
  }
  void last_step(llvm::function_ref<void()> push_next) {
    step(left_over_->now, left_over_->adds, push_next);
  }
  void last_results(bool beside) { read_results({tiles_ - 1}, beside); }
  // Accumulators that do not meet those of the open one; none: there are too few.
  bool take_accumulators(const ContractionLowering& before);
  void push(const Step& step);
  void weights(const Chunk& chunk, int part);
  void weight_rows(const Chunk& chunk, int part);
  void weight_columns(const Chunk& chunk, int part);
  void multiply(const Chunk& chunk, int part, bool adds, bool swaps,
                llvm::function_ref<void()> behind_first);
  void multiply_group(const Chunk& chunk, OpFoldResult group, std::int64_t rows, int part,
                      bool adds, bool swaps);
  // `beside`: while others are multiplied.
  void read_results(const Columns& tile, bool beside);
  Value part_of(Value x, int part);
  Value lane_mask(std::int64_t count);
  // Rows of a tile at a chunk, from its row `first` on, `beyond` rows of VMEM further.
  Value load(const Tile& tile, const Chunk& chunk, OpFoldResult first, const Columns& beyond,
             std::int64_t rows, Value mask);
  // Which part of the words the unit takes.
  mlir::NamedAttribute form(const Tile& tile, const Chunk& chunk) {
    llvm::StringRef part = tile.is_bytes ? "b0" : "f32";
    if (!tile.part.empty()) part = tile.part;
    if (part == "halves") part = chunk.half == 0 ? "lo" : "hi";
    return text("x", part);
  }
  // Calls the body for from, from + 1, ...: written out, or as a loop.
  void repeat(std::int64_t from, std::int64_t to, llvm::function_ref<void(OpFoldResult)> body,
              std::int64_t few = 4);
  // The operand and attributes that name an accumulator.
  VmemAddress accumulator(OpFoldResult group);
  // Where the tile of columns in work has fewer than there are lanes.
  Value tile_mask() {
    const bool is_whole = tile_.loop || (tile_.number + 1) * machine_.lanes <= columns_;
    return is_whole ? Value() : column_mask_;
  }
  // `results` reads those of the tile before, where there is one.
  void one_tile(const Columns& tile, const std::optional<Columns>& next,
                llvm::function_ref<void()> results);
  void written_tiles(std::int64_t from, llvm::function_ref<void()> results_before);
  void tiles_in_loop();
  void one_chunk(std::int64_t number);
  // Waits for rows of the weights, of the chunk up to this one.
  void wait_for_rows(const Chunk& chunk, std::int64_t end);

  Memory& memory_;
  const Parameters& machine_;
  mlir::linalg::LinalgOp op_;
  Tile left_;
  Tile right_;
  Tile result_;
  bool is_bytes_ = false;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t halves_ = 1;
  std::int64_t chunks_ = 0;
  std::int64_t depth_ = 0;
  llvm::SmallVector<Pass> passes_;
  std::int64_t first_accumulator_ = 0;
  std::int64_t tiles_ = 1;    // of columns
  Columns tile_;              // in work
  std::int64_t groups_ = 0;   // of eight rows
  std::int64_t sets_ = 1;     // of accumulators, for tiles in turn
  bool written_out_ = false;  // little enough for code without loops
  bool arrives_ = false;      // the weights do, in parts
  bool rows_arrive_ = false;  // the rows do
  bool by_columns_ = false;   // the weights do, and the parts are tiles of columns
  Value column_mask_;
  Value depth_mask_;
  // The step that waits for the next contraction.
  struct LeftOver {
    Step now;
    bool adds = false;
  };
  bool stays_open_ = false;
  std::optional<LeftOver> left_over_;
};

Value ContractionLowering::lane_mask(std::int64_t count) {
  if (count == machine_.lanes) return {};
  return make("vlt.s32", {make("vlane"), constant(count)});
}

Value ContractionLowering::load(const Tile& tile, const Chunk& chunk, OpFoldResult first,
                                const Columns& beyond, std::int64_t rows, Value mask) {
  std::int64_t fixed =
      tile.row.fixed + beyond.number + chunk.number * tile.chunk_rows + chunk.half * tile.half_rows;
  OpFoldResult moved = times(builder_, loc_, chunk.turn, chunk.length * tile.chunk_rows);
  if (const auto row = mlir::getConstantIntValue(first)) {
    fixed += *row * tile.pitch;
  } else {
    moved = add(builder_, loc_, times(builder_, loc_, first, tile.pitch), moved);
  }
  if (tile.row.moved) moved = add(builder_, loc_, moved, tile.row.moved);
  if (beyond.loop) moved = add(builder_, loc_, moved, beyond.loop);
  VmemAddress address = vmem_address(builder_, loc_, fixed, moved);
  address.attributes.push_back(number("rows", rows));
  if (tile.pitch != 1 && rows > 1) address.attributes.push_back(number("stride", tile.pitch));
  if (mask) address.registers.push_back(mask);
  return make("vld", address.registers, address.attributes);
}

VmemAddress ContractionLowering::accumulator(OpFoldResult group) {
  const auto fixed = mlir::getConstantIntValue(group);
  const std::int64_t set = tile_.accumulator ? 0 : tile_.number % sets_ * groups_;
  const std::int64_t first = first_accumulator_ + set + fixed.value_or(0);
  OpFoldResult moved = fixed ? OpFoldResult(builder_.getIndexAttr(0)) : group;
  if (tile_.accumulator) moved = add(builder_, loc_, moved, tile_.accumulator);
  if (mlir::getConstantIntValue(moved)) return {{}, {flag("absolute"), number("acc", first)}};
  return {{mlir::cast<Value>(moved)}, {number("acc", first)}};
}

// What is left after the parts before, rounded to bf16; beyond an infinity there is nothing.
Value ContractionLowering::part_of(Value x, int part) {
  Selector s(builder_, loc_);
  for (int i = 0; i < part; ++i) {
    const Value taken = expand_bf16(s, x);
    const Value finite = s.make(
        "vlt.f32", {expand_absolute(s, taken), s.real(std::numeric_limits<float>::infinity())});
    x = s.choose(finite, s.make("vsub.f32", {x, taken}), s.real(0));
  }
  return x;
}

// Rows of weights beyond the depth are zero: so a buffer is left when it is released, and the first
// two are made so (clear_weights).
void ContractionLowering::weight_rows(const Chunk& chunk, int part) {
  const Value mask = tile_mask();
  for (std::int64_t row = 0; row < machine_.lanes; row += sublanes) {
    const std::int64_t rows = std::min<std::int64_t>(sublanes, depth_ - row);
    if (rows <= 0) break;
    wait_for_rows(chunk, row + rows);
    const Value x =
        part_of(load(right_, chunk, builder_.getIndexAttr(row), tile_, rows, mask), part);
    make("mxpush", x, {flag("absolute"), number("row", row), form(right_, chunk)});
  }
}

// Weights whose columns lie in rows of VMEM.
void ContractionLowering::weight_columns(const Chunk& chunk, int part) {
  for (std::int64_t column = 0; column < machine_.lanes; column += sublanes) {
    const std::int64_t first = tile_.number * machine_.lanes + column;
    const std::int64_t left = columns_ - first;
    const std::int64_t count = tile_.loop ? sublanes : std::min<std::int64_t>(sublanes, left);
    if (count <= 0) break;
    OpFoldResult row = builder_.getIndexAttr(first);
    if (tile_.loop)
      row = add(builder_, loc_, row, times(builder_, loc_, tile_.loop, machine_.lanes));
    const Value x = part_of(load(right_, chunk, row, {}, count, depth_mask_), part);
    make("mxpusht", x, {flag("absolute"), number("row", column), form(right_, chunk)});
  }
}

void ContractionLowering::weights(const Chunk& chunk, int part) {
  if (right_.by_columns) {
    weight_columns(chunk, part);
  } else {
    weight_rows(chunk, part);
  }
}

void ContractionLowering::multiply_group(const Chunk& chunk, OpFoldResult group, std::int64_t rows,
                                         int part, bool adds, bool swaps) {
  const OpFoldResult first = times(builder_, loc_, group, sublanes);
  if (rows_arrive_) {
    memory_.in_flight().settle_rows(builder_, loc_, op_->getOperand(0),
                                    *mlir::getConstantIntValue(first) + rows);
  }
  const Value x = part_of(load(left_, chunk, first, {}, rows, depth_mask_), part);
  VmemAddress sum = accumulator(group);
  sum.registers.push_back(x);
  sum.attributes.push_back(form(left_, chunk));
  if (adds) sum.attributes.push_back(flag("add"));
  if (swaps) sum.attributes.push_back(flag("swap"));
  make(is_bytes_ ? "mxmul.s8" : "mxmul.bf16", sum.registers, sum.attributes);
}

void ContractionLowering::repeat(std::int64_t from, std::int64_t to,
                                 llvm::function_ref<void(OpFoldResult)> body, std::int64_t few) {
  if (written_out_ || to - from <= few) {
    for (std::int64_t i = from; i < to; ++i) body(builder_.getIndexAttr(i));
    return;
  }
  mlir::scf::ForOp::create(builder_, loc_, constant(from), constant(to), constant(1),
                           mlir::ValueRange{},
                           [&](mlir::OpBuilder&, mlir::Location at, Value index, mlir::ValueRange) {
                             mlir::OpBuilder::InsertionGuard guard(builder_);
                             builder_.setInsertionPointToStart(index.getParentBlock());
                             body(index);
                             mlir::scf::YieldOp::create(builder_, at);
                           });
}

// All rows with the weights that have been pushed. A group of fewer than eight rows is filled up
// with zeros by its load. Behind the first group, other weights may be pushed.
void ContractionLowering::multiply(const Chunk& chunk, int part, bool adds, bool swaps,
                                   llvm::function_ref<void()> behind_first) {
  const std::int64_t whole = rows_ / sublanes;
  if (whole > 0) multiply_group(chunk, builder_.getIndexAttr(0), sublanes, part, adds, swaps);
  if (whole > 0) behind_first();
  // Written out for as long as pushes take, which run beside; few enough, all of them: a loop of
  // its own has a way in and out, and the loop over chunks around it has no pipeline.
  const std::int64_t few = most_written_out(machine_);
  constexpr std::int64_t cycles_of_push = 4;
  const std::int64_t beside = machine_.lanes / sublanes * cycles_of_push / sublanes + 1;
  const std::int64_t apart = whole <= few + 1 ? whole : std::min(whole, beside);
  for (std::int64_t group = 1; group < apart; ++group) {
    multiply_group(chunk, builder_.getIndexAttr(group), sublanes, part, adds, false);
  }
  repeat(std::max<std::int64_t>(1, apart), whole,
         [&](OpFoldResult group) { multiply_group(chunk, group, sublanes, part, adds, false); });
  if (const std::int64_t rest = rows_ % sublanes; rest != 0) {
    multiply_group(chunk, builder_.getIndexAttr(whole), rest, part, adds, swaps && whole == 0);
  }
  if (whole == 0) behind_first();
}

void ContractionLowering::push(const Step& step) {
  tile_ = step.tile;
  const bool is_first = step.chunk.number == 0 && step.chunk.half == 0 && step.pass == 0;
  if (by_columns_ && is_first) {
    memory_.in_flight().settle_columns(builder_, loc_, op_->getOperand(1), tile_.number,
                                       tile_.loop);
  }
  weights(step.chunk, passes_[step.pass].right);
}

// Multiplies with weights that have been pushed, and pushes those of the next step meanwhile.
void ContractionLowering::step(const Step& now, bool adds, llvm::function_ref<void()> push_next) {
  for (int part = 0; part < passes_[now.pass].left_parts; ++part) {
    tile_ = now.tile;
    multiply(now.chunk, part, adds, part == 0, [&] {
      if (part == 0) push_next();
      tile_ = now.tile;
    });
    adds = true;
  }
}

// All steps of a chunk, with those of `next` behind them.
void ContractionLowering::chunk(const Step& first, std::optional<Step> next, bool adds) {
  llvm::SmallVector<Step> steps;
  for (std::int64_t half = 0; half < halves_; ++half) {
    for (std::size_t pass = 0; pass < passes_.size(); ++pass) {
      steps.push_back(first);
      steps.back().chunk.half = half;
      steps.back().pass = pass;
    }
  }
  for (const auto [number, now] : llvm::enumerate(steps)) {
    const std::optional<Step> behind = number + 1 < steps.size() ? steps[number + 1] : next;
    if (stays_open_ && !behind) {
      left_over_ = LeftOver{now, adds || number > 0};
      return;
    }
    step(now, adds || number > 0, [&] {
      if (behind) push(*behind);
    });
  }
}

void ContractionLowering::read_results(const Columns& tile, bool beside) {
  tile_ = tile;
  const bool overwrites = op_->hasAttr("tandem.overwrites");
  const auto read = [&](OpFoldResult group, std::int64_t rows) {
    const VmemAddress from = accumulator(group);
    Value sum = make("mxread", from.registers, from.attributes);
    const OpFoldResult first = times(builder_, loc_, group, sublanes);
    if (!overwrites) {
      const Value old =
          load(result_, {builder_.getIndexAttr(0), 0, 0, 0}, first, tile_, rows, tile_mask());
      sum = make(is_bytes_ ? "vadd.s32" : "vadd.f32", {old, sum});
    }
    OpFoldResult moved = times(builder_, loc_, first, result_.pitch);
    if (result_.row.moved) moved = add(builder_, loc_, moved, result_.row.moved);
    if (tile_.loop) moved = add(builder_, loc_, moved, tile_.loop);
    VmemAddress to = vmem_address(builder_, loc_, result_.row.fixed + tile_.number, moved);
    to.registers.push_back(sum);
    to.attributes.push_back(number("rows", rows));
    if (result_.pitch != 1 && rows > 1) to.attributes.push_back(number("stride", result_.pitch));
    if (const Value mask = tile_mask()) to.registers.push_back(mask);
    make("vst", to.registers, to.attributes);
  };
  const std::int64_t whole = rows_ / sublanes;
  constexpr std::int64_t few = 4;
  constexpr std::int64_t few_beside = 32;
  repeat(
      0, whole, [&](OpFoldResult group) { read(group, sublanes); }, beside ? few_beside : few);
  if (rows_ % sublanes != 0) read(builder_.getIndexAttr(whole), rows_ % sublanes);
}

mlir::LogicalResult ContractionLowering::run(ContractionLowering* before) {
  const auto tiles = contraction_tiles(builder_, memory_, machine_, op_);
  if (mlir::failed(tiles)) return mlir::failure();
  std::tie(left_, right_, result_) = std::tie(tiles->left, tiles->right, tiles->result);
  std::tie(rows_, columns_) = std::tie(tiles->rows, tiles->columns);
  std::tie(halves_, chunks_, depth_) = std::tie(tiles->halves, tiles->chunks, tiles->depth);
  is_bytes_ = left_.is_bytes;
  const auto precision = op_->getAttrOfType<mlir::StringAttr>("tandem.precision").getValue();
  passes_ = passes_of(precision, is_bytes_ || left_.is_bf16, is_bytes_ || right_.is_bf16);
  const std::int64_t rest = columns_ % machine_.lanes;
  column_mask_ = lane_mask(rest == 0 ? machine_.lanes : rest);
  depth_mask_ = lane_mask(depth_);
  if (const auto first = op_->getAttrOfType<mlir::IntegerAttr>("tandem.accumulator")) {
    first_accumulator_ = first.getInt();
  }
  constexpr std::int64_t few = 16;  // multiplies and their splits
  groups_ = (rows_ + sublanes - 1) / sublanes;
  written_out_ =
      groups_ * halves_ * chunks_ * static_cast<std::int64_t>(passes_.size() * passes_.size()) <=
      few;
  tiles_ = (columns_ + machine_.lanes - 1) / machine_.lanes;
  const bool loops = groups_ * tiles_ > accumulators;
  sets_ = loops ? 2 : tiles_;
  arrives_ = op_->hasAttr("tandem.arrives") && written_out_ && !loops;
  rows_arrive_ = op_->hasAttr("tandem.rows_arrive") && arrives_;
  by_columns_ = op_->hasAttr("tandem.arrives_by_columns") && loops;
  const auto settle_all = [&](Value buffer) {
    memory_.in_flight().settle_rows(builder_, loc_, buffer,
                                    std::numeric_limits<std::int64_t>::max());
  };
  if (!arrives_ && !by_columns_) settle_all(op_->getOperand(1));
  if (!rows_arrive_) settle_all(op_->getOperand(0));
  stays_open_ = !loops && !arrives_ && groups_ <= most_written_out(machine_) + 1 &&
                2 * groups_ * sets_ <= accumulators;
  if (before != nullptr && (loops || arrives_ || !take_accumulators(*before))) {
    before->close(builder_);
    before = nullptr;
  }
  const Step first{{builder_.getIndexAttr(0), 0, 0, 0}, 0, {}};
  const auto results_before = [&] { before->last_results(true); };
  if (before != nullptr) {
    before->go_on_at(builder_);
    before->last_step([&] { push(first); });
    before->go_on_at(builder_);
  } else {
    push(first);
  }
  if (loops) {
    tiles_in_loop();
  } else if (arrives_) {
    for (std::int64_t i = 0; i < chunks_; ++i) one_chunk(i);
  } else if (before != nullptr) {
    written_tiles(0, results_before);
  } else {
    written_tiles(0, nullptr);
  }
  if (!stays_open_) last_results(false);
  return mlir::success();
}

bool ContractionLowering::take_accumulators(const ContractionLowering& before) {
  const std::int64_t needed = groups_ * sets_;
  const std::int64_t behind = before.first_accumulator_ + before.groups_ * before.sets_;
  const bool meets =
      first_accumulator_ < behind && before.first_accumulator_ < first_accumulator_ + needed;
  if (!meets) return true;
  if (behind + needed <= accumulators) {
    first_accumulator_ = behind;
    return true;
  }
  first_accumulator_ = 0;
  return needed <= before.first_accumulator_;
}

bool ContractionLowering::allows(mlir::Operation* op) const {
  mlir::linalg::LinalgOp open = op_;
  const Value rows = buffer_behind(open.getDpsInputs().front());
  const Value result = open.getDpsInits().front();
  const auto meets = [&](Value buffer, Value other) {
    return share_memory(buffer_behind(buffer), other);
  };
  if (is_view(op) || mlir::isa<mlir::memref::AllocOp>(op)) return true;
  if (auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(op)) {
    return !meets(copy.getTarget(), rows) && !meets(copy.getTarget(), buffer_behind(result)) &&
           !meets(copy.getSource(), buffer_behind(result));
  }
  auto next = mlir::dyn_cast<mlir::linalg::LinalgOp>(op);
  if (!next || !op->hasAttr("tandem.precision") || op->hasAttr("tandem.vector")) return false;
  const Value written = next.getDpsInits().front();
  if (meets(written, rows)) return false;
  for (const Value read : next.getDpsInputs()) {
    if (meets(read, buffer_behind(result))) return false;
  }
  return !meets(written, buffer_behind(result)) ||
         (buffer_behind(written) == buffer_behind(result) && are_beside(result, written));
}

void ContractionLowering::close(mlir::OpBuilder& builder) {
  go_on_at(builder);
  last_step([] {});
  last_results(false);
}

// Tiles of columns from one on to the last, without a loop.
void ContractionLowering::written_tiles(std::int64_t from,
                                        llvm::function_ref<void()> results_before) {
  for (std::int64_t tile = from; tile < tiles_; ++tile) {
    std::optional<Columns> next;
    if (tile + 1 < tiles_) next = Columns{tile + 1};
    const auto results = [&] { read_results({tile - 1}, true); };
    one_tile({tile}, next, tile > 0 ? llvm::function_ref<void()>(results) : results_before);
  }
}

// More tiles than there are accumulators: they take two sets in turn. The loop is over all that
// have a whole tile before and behind them.
void ContractionLowering::tiles_in_loop() {
  const bool is_whole = columns_ % machine_.lanes == 0;
  const std::int64_t end = is_whole ? tiles_ - 1 : tiles_ - 2;
  one_tile({0}, Columns{1}, nullptr);
  if (end > 1) {
    mlir::scf::ForOp::create(
        builder_, loc_, constant(1), constant(end), constant(1), constant(groups_),
        [&](mlir::OpBuilder&, mlir::Location at, Value index, mlir::ValueRange carried) {
          mlir::OpBuilder::InsertionGuard guard(builder_);
          builder_.setInsertionPointToStart(index.getParentBlock());
          const Value set = carried.front();
          const Value other = mlir::arith::SubIOp::create(builder_, at, constant(groups_), set);
          one_tile({0, index, set}, Columns{1, index, other}, [&] {
            read_results({-1, index, other}, true);
          });
          mlir::scf::YieldOp::create(builder_, at, other);
        });
  }
  written_tiles(std::max<std::int64_t>(1, end), nullptr);
}

void ContractionLowering::wait_for_rows(const Chunk& chunk, std::int64_t end) {
  if (!arrives_) return;
  memory_.in_flight().settle_rows(builder_, loc_, op_->getOperand(1), chunk.number * depth_ + end);
}

// All tiles with a chunk of the depth, the first that there is of weights that arrive.
void ContractionLowering::one_chunk(std::int64_t number) {
  const auto at = [&](std::int64_t chunk, std::int64_t tile) {
    return Step{{builder_.getIndexAttr(0), 0, chunk, 0}, 0, {tile}};
  };
  const bool is_last = number + 1 == chunks_;
  for (std::int64_t tile = 0; tile < tiles_; ++tile) {
    std::optional<Step> next;
    if (tile + 1 < tiles_) next = at(number, tile + 1);
    if (tile + 1 == tiles_ && !is_last) next = at(number + 1, 0);
    chunk(at(number, tile), next, number > 0);
    if (is_last && tile > 0) read_results({tile - 1}, true);
  }
}

// All chunks of the depth; where there are many, several in a turn of the loop: as many as keep the
// unit busy for longer than the loop takes, and not so many that there is no pipeline of them.
// While the first chunk is in work, the results of the tile before are read.
void ContractionLowering::one_tile(const Columns& tile, const std::optional<Columns>& next,
                                   llvm::function_ref<void()> results) {
  constexpr std::int64_t several = 4;
  constexpr std::int64_t many = 8;
  constexpr std::int64_t enough = 8;  // multiplies
  const std::int64_t multiplies = halves_ * groups_;
  const bool is_short = multiplies < enough && passes_.size() == 1;
  const std::int64_t turn =
      !written_out_ && chunks_ >= many && is_short ? std::min(several, enough / multiplies) : 1;
  const auto at = [&](OpFoldResult index, std::int64_t number) {
    return Step{{index, turn, number, 0}, 0, tile};
  };
  const OpFoldResult start = builder_.getIndexAttr(0);
  std::optional<Step> beyond;
  if (next) beyond = Step{{start, 0, 0, 0}, 0, *next};
  const std::int64_t rest = chunks_ - 1;  // without the last one
  const std::int64_t head = rest == 0 ? 0 : (rest - 1) % turn + 1;
  for (std::int64_t i = 0; i < head; ++i) {
    chunk(at(start, i), at(start, i + 1), i > 0);
    if (i == 0 && results) results();
  }
  repeat(0, (rest - head) / turn, [&](OpFoldResult index) {
    for (std::int64_t i = 0; i < turn; ++i) {
      chunk(at(index, head + i), at(index, head + i + 1), true);
    }
  });
  chunk(at(start, rest), beyond, rest > 0);
  if (rest == 0 && results) results();
}

}  // namespace

void clear_weights(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& parameters) {
  const Value zero =
      machine(builder, loc, "vmov", {mlir::arith::ConstantIndexOp::create(builder, loc, 0)});
  const auto form = text_attribute(builder, "x", "f32");
  const auto absolute = flag_attribute(builder, "absolute");
  for (std::int64_t row = 0; row < parameters.lanes; row += sublanes) {
    machine(builder, loc, "mxpush", zero, {absolute, number_attribute(builder, "row", row), form});
  }
  machine(builder, loc, "mxmul.bf16", zero,
          {absolute, number_attribute(builder, "acc", 0), number_attribute(builder, "rows", 1),
           flag_attribute(builder, "swap"), form});
}

mlir::LogicalResult lower_contraction(mlir::OpBuilder& builder, Memory& memory,
                                      const Parameters& machine, mlir::linalg::LinalgOp op,
                                      std::unique_ptr<OpenContraction>& open) {
  if (op->hasAttr("tandem.vector")) return lower_vector_contraction(builder, memory, machine, op);
  const std::unique_ptr<OpenContraction> before = std::move(open);
  auto lowering = std::make_unique<ContractionLowering>(builder, memory, machine, op);
  if (mlir::failed(lowering->run(static_cast<ContractionLowering*>(before.get())))) {
    return mlir::failure();
  }
  if (lowering->is_open()) open = std::move(lowering);
  return mlir::success();
}

}  // namespace tandem::compiler
