#include "isa/object/object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tandem {
namespace {

constexpr std::uint64_t page = 4096;

std::uint64_t next_page(std::uint64_t address) { return (address + page - 1) / page * page; }

std::uint64_t hbm_end(const Object& program) {
  if (program.bss_bytes != 0) return bss_address(program) + program.bss_bytes;
  if (!program.data.empty()) return data_address(program) + program.data.size();
  return text_base + program.text.size() * bundle_bytes;
}

// In a program they count words from .bss and .data.
BufferTable placed_buffers(const Object& program) {
  BufferTable table = program.buffers;
  for (PlannedBuffer& buffer : table.buffers) {
    if (buffer.kind == BufferKind::hbm) buffer.first += bss_address(program) / 4;
    if (buffer.kind == BufferKind::constant) buffer.first += data_address(program) / 4;
  }
  return table;
}

}  // namespace

std::uint64_t data_address(const Object& program) {
  return next_page(text_base + program.text.size() * bundle_bytes);
}

std::uint64_t bss_address(const Object& program) {
  return next_page(data_address(program) + program.data.size());
}

std::uint32_t argument_block_words(const Object& object) {
  return object.arguments_in_smem
             ? static_cast<std::uint32_t>(object.tensors.size() * argument_entry_bytes / 4)
             : 0;
}

Image make_image(const Object& program) {
  Image image;
  image.preset = program.preset;
  image.text = program.text;
  image.entry_pc = program.entry_pc.value_or(0);
  if (!program.data.empty()) image.data.push_back({data_address(program), program.data});
  image.hbm_end = hbm_end(program);
  image.vmem_rows_reserved = program.vmem_rows;
  image.smem_words_reserved = program.smem_words;
  image.arguments_in_smem = program.arguments_in_smem;
  image.smem_contents = program.smem_contents;
  image.start_copies = program.start_copies;
  image.tensors = program.tensors;
  image.source = program.source;
  image.buffers = placed_buffers(program);
  image.given = program.given;
  for (const Symbol& symbol : program.symbols) {
    if (symbol.place == Place::text) {
      image.labels.push_back({static_cast<std::uint32_t>(symbol.value), symbol.name});
    } else if (symbol.place != Place::undefined) {
      image.names.push_back({symbol.name, static_cast<std::int64_t>(symbol.value)});
    }
  }
  std::stable_sort(image.labels.begin(), image.labels.end(),
                   [](const Label& a, const Label& b) { return a.pc < b.pc; });
  return image;
}

std::string target_mismatch(const Parameters& built_for, const Parameters& machine) {
  if (built_for == machine) return {};
  if (built_for.name != machine.name) {
    return fmt::format("built for preset `{}` (lanes {}), this machine is `{}` (lanes {})",
                       built_for.name, built_for.lanes, machine.name, machine.lanes);
  }
  const auto differs = [&](std::string_view name, std::uint32_t built, std::uint32_t here) {
    return built == here ? std::string() : fmt::format(" {} {} against {};", name, built, here);
  };
  std::string text = fmt::format("preset `{}` differs from that of this machine:", built_for.name);
  text += differs("lanes", built_for.lanes, machine.lanes);
  text += differs("vmem_bytes", built_for.vmem_bytes, machine.vmem_bytes);
  text += differs("smem_bytes", built_for.smem_bytes, machine.smem_bytes);
  text += differs("icache_bundles", built_for.icache_bundles, machine.icache_bundles);
  text.pop_back();
  return text;
}

std::vector<std::uint32_t> sort_symbols(std::vector<Symbol>& symbols) {
  std::vector<std::uint32_t> order(symbols.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&symbols](std::uint32_t i) {
    const Symbol& symbol = symbols[i];
    return std::tie(symbol.global, symbol.place, symbol.value, symbol.name);
  };
  std::sort(order.begin(), order.end(),
            [&key](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<Symbol> sorted;
  sorted.reserve(symbols.size());
  std::vector<std::uint32_t> index(symbols.size());
  for (const std::uint32_t old : order) {
    index[old] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(symbols[old]));
  }
  symbols = std::move(sorted);
  return index;
}

}  // namespace tandem
