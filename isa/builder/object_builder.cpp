#include "isa/builder/object_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace tandem::builder {
namespace {

using Slots = std::array<const Placed*, slot_count>;

std::string_view name_of(std::size_t slot) { return slot_layouts[slot].name; }

void take(Slots& slots, std::size_t slot, const Placed& operation) {
  if (slots[slot] != nullptr) {
    throw BuildError{fmt::format("two operations in slot {}", name_of(slot))};
  }
  slots[slot] = &operation;
}

std::size_t free_slot(const Slots& slots, const Instruction& row) {
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (slots[slot] == nullptr && slot_accepts(static_cast<Slot>(slot), row.group)) return slot;
  }
  throw BuildError{fmt::format("no slot is left for `{}`", row.mnemonic)};
}

// Those that name a slot first.
Slots slots_of(std::span<const Placed> operations) {
  Slots slots{};
  for (const Placed& item : operations) {
    if (item.slot) take(slots, static_cast<std::size_t>(*item.slot), item);
  }
  for (const Placed& item : operations) {
    if (!item.slot) take(slots, free_slot(slots, instruction(item.operation.op)), item);
  }
  return slots;
}

template <typename Number>
Number aligned(Number value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

ObjectBuilder::ObjectBuilder(const Parameters& preset) { object_.preset = &preset; }

std::uint32_t ObjectBuilder::bundle(std::span<const Placed> operations) {
  const Slots slots = slots_of(operations);
  Bundle bits{};
  const std::uint32_t pc = bundles();
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (slots[slot] == nullptr) continue;
    set_slot_bits(bits, static_cast<Slot>(slot), encode(slots[slot]->operation));
    if (slots[slot]->symbol.symbol == no_symbol) continue;
    add_relocation(pc, static_cast<Slot>(slot), slots[slot]->symbol);
  }
  return raw(bits);
}

std::uint32_t ObjectBuilder::raw(const Bundle& bundle) {
  const std::uint32_t pc = bundles();
  object_.text.push_back(bundle);
  source_.line(pc, frame_);
  return pc;
}

void ObjectBuilder::source(const std::string& file, std::uint32_t line,
                           std::string_view operation) {
  const SourceStep step{file, line};
  source(std::span(&step, line == 0 ? 0 : 1), operation);
}

void ObjectBuilder::source(std::span<const SourceStep> chain, std::string_view operation) {
  frame_ = chain.empty() ? no_frame : source_.frame(chain, operation);
}

SymbolValue ObjectBuilder::add_symbol(const std::string& name, Place place, std::uint64_t value) {
  const auto number = static_cast<std::uint32_t>(object_.symbols.size());
  object_.symbols.push_back(
      {name.empty() ? fmt::format("built_{}", number) : name, place, false, value});
  return {number, 0};
}

void ObjectBuilder::add_relocation(std::uint32_t pc, Slot slot, const SymbolValue& value) {
  const std::uint64_t offset =
      std::uint64_t{pc} * bundle_bytes + slot_layouts[static_cast<std::size_t>(slot)].lsb / 8U;
  object_.text_relocations.push_back(
      {offset, value.addend, value.symbol, RelocationKind::operand, 0, false});
}

SymbolValue ObjectBuilder::label(const std::string& name) {
  return add_symbol(name, Place::undefined, 0);
}

void ObjectBuilder::place(SymbolValue label) {
  Symbol& symbol = object_.symbols[label.symbol];
  if (symbol.place != Place::undefined || symbol.global) {
    throw BuildError{fmt::format("label {} has its place already", symbol.name)};
  }
  symbol.place = Place::text;
  symbol.value = bundles();
}

SymbolValue ObjectBuilder::here(const std::string& name) {
  return add_symbol(name, Place::text, bundles());
}

void ObjectBuilder::make_global(SymbolValue symbol) {
  object_.symbols[symbol.symbol].global = true;
}

SymbolValue ObjectBuilder::external(const std::string& name) {
  const SymbolValue symbol = add_symbol(name, Place::undefined, 0);
  make_global(symbol);
  return symbol;
}

SymbolValue ObjectBuilder::vmem(std::uint32_t rows, std::uint32_t alignment,
                                const std::string& name) {
  const std::uint32_t first = aligned(object_.vmem_rows, alignment);
  object_.vmem_rows = first + rows;
  object_.vmem_alignment = std::max(object_.vmem_alignment, alignment);
  return add_symbol(name, Place::vmem, first);
}

SymbolValue ObjectBuilder::smem(std::uint32_t words, std::uint32_t alignment,
                                const std::string& name) {
  const std::uint32_t first = aligned(object_.smem_words, alignment);
  object_.smem_words = first + words;
  object_.smem_alignment = std::max(object_.smem_alignment, alignment);
  return add_symbol(name, Place::smem, first);
}

SymbolValue ObjectBuilder::data(std::span<const std::uint8_t> bytes, std::uint32_t alignment,
                                const std::string& name) {
  object_.data.resize(aligned(object_.data.size(), alignment));
  const SymbolValue symbol = add_symbol(name, Place::data, object_.data.size());
  object_.data.insert(object_.data.end(), bytes.begin(), bytes.end());
  object_.data_alignment = std::max<std::uint64_t>(object_.data_alignment, alignment);
  return symbol;
}

SymbolValue ObjectBuilder::words(std::span<const DataWord> words, std::uint32_t alignment,
                                 const std::string& name) {
  std::vector<std::uint8_t> bytes(words.size() * 4);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto* number = std::get_if<std::uint32_t>(&words[i]);
    if (number != nullptr) std::memcpy(bytes.data() + 4 * i, number, 4);
  }
  const SymbolValue symbol = data(bytes, alignment, name);
  const std::uint64_t first = object_.symbols[symbol.symbol].value;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto* wanted = std::get_if<SymbolWord>(&words[i]);
    if (wanted == nullptr) continue;
    object_.data_relocations.push_back(
        {first + 4 * i, wanted->of.addend, wanted->of.symbol, wanted->kind, 0, false});
  }
  return symbol;
}

SymbolValue ObjectBuilder::bss(std::uint64_t bytes, std::uint32_t alignment,
                               const std::string& name) {
  const std::uint64_t first = aligned(object_.bss_bytes, alignment);
  object_.bss_bytes = first + bytes;
  object_.bss_alignment = std::max<std::uint64_t>(object_.bss_alignment, alignment);
  return add_symbol(name, Place::bss, first);
}

SymbolValue ObjectBuilder::descriptor(const CopyDescriptor& copy, const std::string& name) {
  const DescriptorWords numbers = copy.words();
  const std::vector<DataWord> all(numbers.begin(), numbers.end());
  return words(all, descriptor_words * 4, name);
}

SymbolValue ObjectBuilder::tensor(Tensor tensor) {
  const SymbolValue symbol = add_symbol(tensor.name + ".entry", Place::tensor,
                                        object_.tensors.size() * argument_entry_bytes);
  make_global(symbol);
  tensor.dimension_names.resize(tensor.dimensions.size());
  object_.tensors.push_back(std::move(tensor));
  return symbol;
}

Object ObjectBuilder::finish() const {
  Object result = object_;
  for (const Symbol& symbol : result.symbols) {
    if (symbol.place != Place::undefined || symbol.global) continue;
    throw BuildError{fmt::format("label {} is nowhere placed", symbol.name)};
  }
  const std::vector<std::uint32_t> moved = sort_symbols(result.symbols);
  for (Relocation& item : result.text_relocations) item.symbol = moved[item.symbol];
  for (Relocation& item : result.data_relocations) item.symbol = moved[item.symbol];
  result.source = source_.table();
  return result;
}

}  // namespace tandem::builder
