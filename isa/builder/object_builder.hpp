// An object made without text: bundles of typed operations, labels, memories, data, descriptors and
// tensors, for the linker.
//
//   ObjectBuilder object(*find_preset("small"));
//   const SymbolValue loop = object.here("loop");
//   object.bundle({op::add(s(1), s(1), 1), op::lt_s32(p(1), s(1), 10)});
//   object.bundle({op::br(loop).when(p(1))});
//   object.bundle({op::halt()});
//   const LinkInput input{"generated", object.finish()};
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "isa/builder/operation.hpp"
#include "isa/descriptor.hpp"
#include "isa/object/object.hpp"

namespace tandem::builder {

// The contents of a .data word known only to the linker: half of an address in HBM, or a value.
struct SymbolWord {
  SymbolValue of;
  RelocationKind kind = RelocationKind::word32;
};
inline SymbolWord low_word(SymbolValue of) { return {of, RelocationKind::word32_lo}; }
inline SymbolWord high_word(SymbolValue of) { return {of, RelocationKind::word32_hi}; }
using DataWord = std::variant<std::uint32_t, SymbolWord>;

class ObjectBuilder {
 public:
  explicit ObjectBuilder(const Parameters& preset);

  // ---- text Appends a bundle and returns its number. Operations without a slot take the first
  // free one, in the order given; throws BuildError when there is none.
  std::uint32_t bundle(std::span<const Placed> operations);
  std::uint32_t bundle(std::initializer_list<Placed> operations) {
    return bundle(std::span(operations.begin(), operations.size()));
  }
  // Raw bits, legal or not.
  std::uint32_t raw(const Bundle& bundle);
  [[nodiscard]] std::uint32_t bundles() const {
    return static_cast<std::uint32_t>(object_.text.size());
  }
  // The program begins with the next bundle.
  void entry() { object_.entry_pc = bundles(); }
  // Source of the bundles from the next one on, and the name of the operation that they are part of
  // ("": none); line 0: none. The second form takes a chain of calls, innermost first.
  void source(const std::string& file, std::uint32_t line, std::string_view operation = {});
  void source(std::span<const SourceStep> chain, std::string_view operation = {});

  // ---- symbols
  // A label to be placed later, once; finish() throws BuildError when it was not.
  SymbolValue label(const std::string& name = "");
  // Places it before the next bundle.
  void place(SymbolValue label);
  SymbolValue here(const std::string& name = "");
  // Seen by other objects, or defined by one.
  void make_global(SymbolValue symbol);
  SymbolValue external(const std::string& name);

  // ---- memories
  SymbolValue vmem(std::uint32_t rows, std::uint32_t alignment = 1, const std::string& name = "");
  SymbolValue smem(std::uint32_t words, std::uint32_t alignment = 1, const std::string& name = "");
  // HBM: bytes with contents, words with contents, zero-initialized space.
  SymbolValue data(std::span<const std::uint8_t> bytes, std::uint32_t alignment = 4,
                   const std::string& name = "");
  SymbolValue words(std::span<const DataWord> words, std::uint32_t alignment = 4,
                    const std::string& name = "");
  SymbolValue bss(std::uint64_t bytes, std::uint32_t alignment = 4, const std::string& name = "");
  // A copy descriptor in .data, to be copied to SMEM.
  SymbolValue descriptor(const CopyDescriptor& copy, const std::string& name = "");
  // The offset of its entry in the argument block.
  SymbolValue tensor(Tensor tensor);

  // The relocatable object built so far.
  [[nodiscard]] Object finish() const;

 private:
  SymbolValue add_symbol(const std::string& name, Place place, std::uint64_t value);
  void add_relocation(std::uint32_t pc, Slot slot, const SymbolValue& value);

  Object object_;
  SourceTableBuilder source_;
  FrameId frame_ = no_frame;
};

}  // namespace tandem::builder
