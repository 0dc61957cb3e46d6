#include "compiler/stats/memory_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/places.hpp"
#include "compiler/views/lives.hpp"
#include "isa/text/markup.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

struct Buffer {
  std::int64_t address = 0;  // in words of its memory
  std::int64_t words = 0;
  Life life;
  std::string maker;  // "f.py:3 jit(f)/dot_general"
};

struct Memory {
  std::string name;
  std::int64_t used = 0;      // words, as the binary reserves them
  std::int64_t capacity = 0;  // words; 0: the size that the device has
  std::vector<Buffer> buffers;
  std::int64_t steps = 0;
};

std::vector<Memory> memories(mlir::ModuleOp module, const Parameters& machine) {
  Memory vmem{"VMEM", 0, machine.vmem_words(), {}, 0};
  Memory hbm{"HBM (temporaries)", 0, 0, {}, 0};
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isExternal()) continue;
    vmem.used = attribute::vmem_rows.value_or(function, 0) * machine.lanes;
    hbm.used = attribute::hbm_words.value_or(function, 0);
    const Lives lives(function);
    function.walk([&](mlir::memref::AllocOp alloc) {
      Memory& memory = alloc.getType().getMemorySpace() ? vmem : hbm;
      const auto address = attribute::address.get(alloc);
      memory.buffers.push_back({address ? address.getInt() : 0, alloc.getType().getNumElements(),
                                lives.of(alloc.getResult()), maker_of(alloc)});
      memory.steps = std::max(memory.steps, memory.buffers.back().life.last);
    });
  }
  std::vector<Memory> result{std::move(vmem), std::move(hbm)};
  for (Memory& memory : result) {
    std::stable_sort(memory.buffers.begin(), memory.buffers.end(),
                     [](const Buffer& a, const Buffer& b) { return a.address < b.address; });
  }
  return result;
}

constexpr int map_width = 900;
constexpr int map_height = 500;
constexpr int map_margin = 40;

std::string drawing(const Memory& memory, int top) {
  const auto x = [&](std::int64_t words) {
    return map_margin + static_cast<double>(words) * map_width /
                            static_cast<double>(std::max<std::int64_t>(1, memory.used));
  };
  const auto y = [&](std::int64_t step) {
    return top + 24 +
           static_cast<double>(step) * map_height /
               static_cast<double>(std::max<std::int64_t>(1, memory.steps + 1));
  };
  std::string text = fmt::format("<text x='{}' y='{}'>{}: {} words</text>\n", map_margin, top + 14,
                                 memory.name, memory.used);
  constexpr const char* colours[] = {"#4e79a7", "#f28e2b", "#76b7b2",
                                     "#59a14f", "#edc948", "#b07aa1"};
  std::size_t next = 0;
  for (const Buffer& buffer : memory.buffers) {
    text += fmt::format(
        "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}' fill-opacity='0.8' "
        "stroke='#333' stroke-width='0.5'><title>{} words at {}, steps {} to {}: "
        "{}</title></rect>\n",
        x(buffer.address), y(buffer.life.first),
        x(buffer.address + buffer.words) - x(buffer.address),
        y(buffer.life.last + 1) - y(buffer.life.first), colours[next++ % std::size(colours)],
        buffer.words, buffer.address, buffer.life.first, buffer.life.last,
        escaped_markup(buffer.maker));
  }
  return text;
}

}  // namespace

std::string memory_text(mlir::ModuleOp module, const Parameters& machine) {
  std::string text;
  for (const Memory& memory : memories(module, machine)) {
    text += fmt::format("{}: {} words used", memory.name, memory.used);
    text += memory.capacity == 0 ? ", " : fmt::format(" of {}, ", memory.capacity);
    text += fmt::format("{} buffers\n", memory.buffers.size());
    for (const Buffer& buffer : memory.buffers) {
      text += fmt::format("  {:>8} .. {:>8}  steps {:>5} to {:>5}  {}\n", buffer.address,
                          buffer.address + buffer.words - 1, buffer.life.first, buffer.life.last,
                          buffer.maker);
    }
  }
  return text;
}

std::string memory_svg(mlir::ModuleOp module, const Parameters& machine) {
  std::string body;
  int top = 0;
  for (const Memory& memory : memories(module, machine)) {
    if (memory.buffers.empty()) continue;
    body += drawing(memory, top);
    top += map_height + 60;
  }
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' font-family='sans-serif' "
      "font-size='12'>\n{}</svg>\n",
      map_width + 2 * map_margin, top, body);
}

}  // namespace tandem::compiler
