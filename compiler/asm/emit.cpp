#include "compiler/asm/emit.hpp"

#include <fmt/format.h>

#include <numeric>

#include "compiler/asm/function.hpp"
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/versions.hpp"
#include "compiler/tpu/bases.hpp"
#include "compiler/tpu/smem_layout.hpp"
#include "compiler/tpu/start_copies.hpp"
#include "compiler/tpu/touches.hpp"
#include "isa/machine.hpp"
#include "isa/text/text.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

using mlir::func::FuncOp;

std::string tensor_line(mlir::DictionaryAttr entry) {
  const auto text = [&](llvm::StringRef name) {
    return entry.getAs<mlir::StringAttr>(name).getValue().str();
  };
  std::string sizes;
  for (const std::int64_t size : entry.getAs<mlir::DenseI64ArrayAttr>("shape").asArrayRef()) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  }
  const auto shares = entry.getAs<mlir::StringAttr>("shares");
  return fmt::format("        .tensor {}, {}, [{}], {}{}\n", text("name"), text("type"), sizes,
                     text("direction"), shares ? ", shares " + shares.getValue().str() : "");
}

std::string word_lines(llvm::ArrayRef<std::int64_t> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); i += 8) {
    std::string row;
    for (const std::int64_t word : words.slice(i, std::min<std::size_t>(8, words.size() - i))) {
      row += fmt::format("{}{:#x}", row.empty() ? "" : ", ", word & 0xffffffff);
    }
    text += "        .u32    " + row + "\n";
  }
  return text;
}

// A constant as words, one per element.
std::vector<std::int64_t> constant_words(mlir::DenseElementsAttr value) {
  std::vector<std::int64_t> words;
  const mlir::Type element = value.getElementType();
  if (mlir::isa<mlir::FloatType>(element)) {
    for (llvm::APFloat number : value.getValues<llvm::APFloat>()) {
      bool inexact = false;
      number.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      words.push_back(static_cast<std::int64_t>(number.bitcastToAPInt().getZExtValue()));
    }
    return words;
  }
  for (const llvm::APInt& number : value.getValues<llvm::APInt>()) {
    words.push_back(element.isInteger(1) ? static_cast<std::int64_t>(number.getZExtValue())
                                         : number.getSExtValue());
  }
  return words;
}

std::string constants(mlir::ModuleOp module) {
  std::string text;
  for (auto global : module.getOps<mlir::memref::GlobalOp>()) {
    const auto value =
        mlir::dyn_cast_or_null<mlir::DenseElementsAttr>(global.getInitialValueAttr());
    std::vector<std::int64_t> words = value ? constant_words(value) : std::vector<std::int64_t>{};
    words.resize(std::max<std::int64_t>(1, global.getType().getNumElements()));
    text += fmt::format("# {}\n", global.getSymName().str()) + word_lines(words);
  }
  return text;
}

void append(std::string& text, std::initializer_list<std::string> lines) {
  for (const std::string& line : lines) text += "        " + line + "\n";
}

constexpr std::int64_t most_frame_words = 256;

// Up to this many different descriptors share one place where each copy runs once: stores then
// change what differs from the copy before.
constexpr std::size_t most_rewritten = 12;

// Stores the word addresses of the temporaries and constants in HBM that are looked up in SMEM.
std::string prologue(FuncOp function, const SmemLayout& layout) {
  std::string text;
  const auto base = [&](std::int64_t word, const std::string& label) {
    if (!reads_word(function, word)) return;
    const std::string low = "%" + label;
    const std::string high = "%" + label + "_high";
    append(text,
           {fmt::format("{} = mov lo({})", low, label), fmt::format("{} = mov hi({})", high, label),
            fmt::format("{0} = shr {0}, 2", low), fmt::format("{0} = shl {0}, 30", high),
            fmt::format("{0} = or {0}, {1}", low, high), fmt::format("sst [{}], {}", word, low)});
  };
  base(layout.temporaries, "temporaries");
  base(layout.constants, "constants");
  return text;
}

std::int64_t words_of(const std::vector<Descriptor>& pool) {
  return std::int64_t{descriptor_words} * static_cast<std::int64_t>(pool.size());
}

std::string descriptor_lines(const std::vector<Descriptor>& pool) {
  std::string text;
  for (const Descriptor& descriptor : pool) {
    text += word_lines(llvm::SmallVector<std::int64_t>(descriptor.begin(), descriptor.end()));
  }
  return text;
}

// Figures for a cost analysis of the binary: its arithmetic, as numbers with names.
std::string cost_lines(mlir::ModuleOp module) {
  std::string text;
  const auto add = [&](llvm::StringRef name, mlir::IntegerAttr number) {
    if (!number) return;
    text += fmt::format("        .equ cost_{0}, {1}\n        .global cost_{0}\n", name.str(),
                        number.getInt());
  };
  add("flops", attribute::flops.get(module));
  add("transcendentals", attribute::transcendentals.get(module));
  return text;
}

// As many descriptors as there are places: those in loops first, then those used most.
std::vector<Descriptor> most_used(const FunctionText& body, std::size_t places) {
  std::vector<std::size_t> order(body.pool().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return body.uses()[a] > body.uses()[b]; });
  order.resize(std::min(order.size(), places));
  std::sort(order.begin(), order.end());
  std::vector<Descriptor> kept;
  kept.reserve(order.size());
  for (const std::size_t number : order) kept.push_back(body.pool()[number]);
  return kept;
}

// The registers by which a block with a frame finds it, and the frame: the first words after those
// of SMEM in use, and the same for the rows of VMEM.
std::string block_with_frame(std::int64_t smem_words, std::int64_t vmem_rows,
                             const Parameters& machine) {
  constexpr std::int64_t most_slots = 128;  // of eight rows
  const std::int64_t words = std::min(machine.smem_words() - smem_words, most_frame_words);
  const std::int64_t slots = std::min((machine.vmem_rows() - vmem_rows) / 8, most_slots);
  std::string text;
  append(text,
         {fmt::format("s2 = mov {}", smem_words + words), fmt::format("s3 = mov {}", vmem_rows),
          ".linear", fmt::format(".frame {}, {}", words, 8 * slots)});
  return text;
}

std::string extern_lines(const FunctionText& body) {
  std::string text;
  for (const std::string& name : body.functions()) text += "        .extern " + name + "\n";
  return text;
}

// The buffers that `.touch` refers to.
std::string buffer_lines(FuncOp function, const FunctionText& body, std::int64_t kernels_at) {
  std::string text;
  for (const PlannedBuffer& buffer : buffers_of(function)) {
    text +=
        fmt::format("        .buffer {}, {}, {}{}\n", buffer_kind_name(buffer.kind), buffer.first,
                    buffer.words, buffer.name.empty() ? "" : ", " + quoted(buffer.name));
  }
  if (body.kernels_buffer() != no_buffer) {
    text += fmt::format("        .buffer {}, {}, {}, \"SMEM\"\n",
                        buffer_kind_name(BufferKind::scratch), kernels_at, body.kernel_words());
  }
  return text;
}

std::string start_copy_lines(FuncOp function, mlir::ArrayAttr tensors) {
  std::string text;
  for (const StartCopy& copy : start_copies_of(function)) {
    const auto entry = mlir::cast<mlir::DictionaryAttr>(tensors[copy.tensor]);
    text += fmt::format("        .start_copy {}{}\n",
                        entry.getAs<mlir::StringAttr>("name").getValue().str(), given_fields(copy));
  }
  return text;
}

// All but the code: target, tensors, and the contents of HBM, VMEM and SMEM.
std::string header(mlir::ModuleOp module, FuncOp function, const FunctionText& body,
                   mlir::ArrayAttr tensors, const SmemLayout& layout, std::int64_t smem_words,
                   const Parameters& machine) {
  std::string text = fmt::format(
      "        .target {}\n        .lines off\n        .producer \"{}\"\n        .arguments\n",
      target_operand(machine.name), producer());
  for (const auto entry : tensors.getAsRange<mlir::DictionaryAttr>()) text += tensor_line(entry);
  text += cost_lines(module);
  text += buffer_lines(function, body, smem_words);
  text += start_copy_lines(function, tensors);
  text += "        .data\n        .align 64\nconstants:\n" + constants(module);
  text += fmt::format("        .bss\n        .align 64\ntemporaries:\n        .space {}\n",
                      4 * std::max<std::int64_t>(1, attribute::hbm_words.value_or(function, 0)));
  text += fmt::format("        .vmem\ntiles:\n        .space {}\n",
                      attribute::vmem_rows.value_or(function, 0));
  text += fmt::format("        .smem\nscalars:\n        .space {}\ndescriptors:\n",
                      layout.descriptors - layout.scratch);
  text += descriptor_lines(body.pool());
  const std::int64_t made = smem_words - layout.descriptors - words_of(body.pool());
  if (made != 0) text += fmt::format("        .space {}\n", made);
  text += fmt::format("kernels:\n        .space {}\n", body.kernel_words());
  return text + extern_lines(body) + "        .text\n";
}

}  // namespace

mlir::FailureOr<std::string> emit_assembly(mlir::ModuleOp module, const Parameters& machine,
                                           Frame frame) {
  auto function = module.lookupSymbol<FuncOp>("main");
  const auto tensors = function ? attribute::tensors.get(function) : mlir::ArrayAttr();
  if (!tensors) return module.emitError("this is no module at the level tpu");
  const auto count = static_cast<std::int64_t>(tensors.size());
  const SmemLayout layout(count);
  FunctionText whole(layout.descriptors);
  if (mlir::failed(whole.run(function))) return mlir::failure();
  const std::int64_t room = machine.smem_words() - layout.descriptors - whole.kernel_words();
  const bool all_kept = static_cast<std::int64_t>(16 * whole.pool().size()) <= room;
  FunctionText part(layout.descriptors);
  const std::int64_t places = std::max<std::int64_t>((room - most_frame_words) / 16 - 1, 0);
  if (!all_kept) part.keep_only(most_used(whole, static_cast<std::size_t>(places)));
  if (!all_kept && mlir::failed(part.run(function))) return mlir::failure();
  FunctionText straight(layout.descriptors);
  // At a start each beat of descriptors takes a cycle.
  const bool rewrites = whole.is_straight() && whole.kernel_words() == 0 &&
                        whole.pool().size() <= most_rewritten &&
                        words_of(whole.pool()) > machine.lanes;
  straight.rewrite();
  if (rewrites && mlir::failed(straight.run(function))) return mlir::failure();
  const FunctionText& body = rewrites ? straight : all_kept ? whole : part;
  const std::size_t made = all_kept ? 0 : 1;  // the place of descriptors that are made at each use
  const std::int64_t smem_words =
      layout.descriptors + static_cast<std::int64_t>(16 * (body.pool().size() + made));
  const std::int64_t all_words = smem_words + body.kernel_words();
  if (all_words > machine.smem_words()) {
    return function.emitError("unimplemented: the program needs ")
           << all_words << " words of SMEM, the machine has " << machine.smem_words();
  }
  const std::string beginning =
      frame == Frame::none
          ? "        .linear\n"
          : block_with_frame(all_words, attribute::vmem_rows.value_or(function, 0), machine);
  return header(module, function, body, tensors, layout, smem_words, machine) + beginning +
         prologue(function, layout) + body.text().closed(beginning) + "        .endlinear\n" +
         body.behind();
}

}  // namespace tandem::compiler
