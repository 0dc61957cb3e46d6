// `custom_call @tandem_ring` (stablehlo/collectives/expand.cpp): parts that go round a ring of
// devices, gathered, reduced, or both, as a kernel. They stand in dense buffers in HBM, the result
// in one that is the program's own.
#include "compiler/contract/exchange_flags.hpp"
#include "compiler/functions/ring_text.hpp"
#include "compiler/tensor/lowering/exchange/exchange_call.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "isa/instructions.hpp"
#include "llvm/Support/MathExtras.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

// What the call says; a text may say anything.
struct Told {
  Ring ring;
  llvm::SmallVector<std::int64_t> members;  // of each ring in order, ring after ring
  std::int64_t last_flags = 0;
};

bool are_devices_once(llvm::ArrayRef<std::int64_t> members) {
  llvm::SmallVector<bool> seen(members.size(), false);
  return llvm::all_of(members, [&](std::int64_t member) {
    return is_below(member, static_cast<std::int64_t>(seen.size())) &&
           !std::exchange(seen[member], true);
  });
}

mlir::FailureOr<Told> told_by(mlir::Operation* op) {
  const auto members = integers(op, "members");
  const auto places = integer(op, "places");
  const auto flags = integers(op, "flags");
  const auto lanes = integer(op, "lanes");
  const auto block = integer(op, "block_words");
  const auto gathers = op->getAttrOfType<mlir::BoolAttr>("gathers");
  if (mlir::failed(members) || mlir::failed(places) || mlir::failed(flags) || mlir::failed(lanes) ||
      mlir::failed(block) || !gathers) {
    return op->emitError("a ring has members, places, flags, and whether it gathers");
  }
  const auto pairs = static_cast<std::int64_t>(exchange_flags.size());
  const bool is_ring = *places >= 3 && *places <= 64 && !members->empty() &&
                       members->size() % *places == 0 && are_devices_once(*members) &&
                       flags->size() == 2 && is_below((*flags)[0], pairs) &&
                       is_below((*flags)[1], pairs) && (*flags)[0] != (*flags)[1];
  const Instruction* const combine = find_instruction(std::string_view(text(op, "combine")));
  if (!llvm::isPowerOf2_64(static_cast<std::uint64_t>(*lanes)) || !is_below(*lanes, 1025) ||
      *block < 0 ||
      (!text(op, "combine").empty() && (combine == nullptr || combine->group != Group::valu))) {
    return op->emitError("a ring has lanes, words of a block, and an operation on vectors");
  }
  if (!is_ring) return op->emitError("a ring is of 3 to 64 devices, with two pairs of flags");
  const ExchangeFlagPair first = exchange_flags[(*flags)[0]];
  const ExchangeFlagPair second = exchange_flags[(*flags)[1]];
  const bool is_ordered = llvm::all_of(llvm::enumerate(*members), [](const auto& member) {
    return static_cast<std::int64_t>(member.index()) == member.value();
  });
  const bool is_one = static_cast<std::int64_t>(members->size()) == *places;
  const Ring ring{static_cast<std::uint32_t>(*places),
                  0,
                  text(op, "combine").str(),
                  gathers.getValue(),
                  !is_one || !is_ordered,
                  static_cast<std::uint32_t>(*lanes),
                  static_cast<std::uint32_t>(*block),
                  first.ready,
                  first.arrived,
                  second.arrived,
                  second.ready};
  return Told{ring, *members, std::max((*flags)[0], (*flags)[1])};
}

// Rows of a table of all devices' places.
std::vector<std::uint32_t> table_of(const Told& told) {
  std::vector<std::uint32_t> words(told.members.size());
  const std::size_t places = told.ring.places;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t first = i / places * places;
    const auto chip = [&](std::size_t place) {
      return static_cast<std::uint32_t>(told.members[first + place % places]);
    };
    const std::size_t place = i - first;
    words[told.members[i]] =
        ring_word(static_cast<std::uint32_t>(place), chip(place + 1), chip(place + places - 1));
  }
  return words;
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
  auto told = told_by(op);
  if (mlir::failed(told) || mlir::failed(check_parts(op, told->ring, from.getDimSize(0),
                                                     to.getDimSize(0), from.getDimSize(1)))) {
    return mlir::failure();
  }
  told->ring.part_words = static_cast<std::uint32_t>(from.getDimSize(1));
  Values inputs{sent_rows(lowering, op)};
  if (told->ring.has_table) inputs.push_back(word_buffer(builder, loc, table_of(*told)));
  const Value received = memref::AllocOp::create(builder, loc, words_of(word_type(to)));
  const std::string kernel = ring_text(told->ring);
  return call_exchange(lowering, op, std::move(inputs), received, ring_vmem_words(told->ring),
                       {kernel, "", ring_smem_words()}, told->last_flags);
}

}  // namespace tandem::compiler
