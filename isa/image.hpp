// A program as every model sees it: the decoded contents of the assembler's ELF file. The assembler
// folder reads and writes the file (assembler/elf.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/parameters.hpp"
#include "isa/source/buffer_table.hpp"
#include "isa/source/source_table.hpp"
#include "isa/start_copy.hpp"

namespace tandem {

using Bundle = std::array<std::uint32_t, bundle_words>;

enum class ElementType : std::uint8_t {  // values: codes of the argument block
#define ELEMENT(name, code, bytes, numpy, meaning) name = (code),
#include "isa/elements.def"
#undef ELEMENT
};
std::uint32_t element_bytes(ElementType type);
// Tensors that a tensor of this type consists of, consecutively: 2 for a complex one, else 1.
std::uint32_t planes_of(ElementType type);
// Bytes per element in each of them.
std::uint32_t plane_element_bytes(ElementType type);
std::string_view element_name(ElementType type);
// Kind and size of the NumPy type with the same bytes: "f4".
std::string_view numpy_type(ElementType type);
std::optional<ElementType> find_element(std::string_view name);
// "f32, bf16, s32": all names, for messages.
std::string element_names();

inline constexpr std::int64_t dimension_from_data =
    -1;  // size comes from the .npy header at launch
inline constexpr std::size_t max_rank = 8;
inline constexpr std::uint64_t argument_entry_bytes = 64;  // of a tensor in the argument block

struct Tensor {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> dimensions;      // at most max_rank; dimension_from_data or >= 0
  std::vector<std::string> dimension_names;  // as written ("rows"); "" if a number was written
  bool input = false;                        // bound by --in
  bool output = false;                       // written back by --out; `inout` sets both
  // For an output in the memory of an earlier tensor of the same type and sizes: its name; else "".
  std::string shares;
};

// Whether an output may be in the memory of `other`: type and sizes, as declared, are the same.
bool may_share(const Tensor& output, const Tensor& other);

// Bytes of HBM with fixed contents.
struct HbmSegment {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
};

struct Label {
  std::uint32_t pc = 0;
  std::string name;
};

// A name that is not a bundle: a label of another section, in its unit (words of SMEM, rows of
// VMEM, bytes of HBM), or a global number.
struct NamedValue {
  std::string name;
  std::int64_t value = 0;
};

// The name that a text gives to a number or a register from a bundle on, until it is redefined.
struct GivenName {
  std::string name;
  std::uint32_t from = 0;
  std::string register_name;  // "" for a number
  std::int64_t value = 0;     // of a number
};

inline constexpr std::uint64_t text_base = 0x10000;  // where the text is loaded

struct Image {
  const Parameters* preset = nullptr;
  std::vector<Bundle> text;
  std::uint32_t entry_pc = 0;
  std::vector<HbmSegment> data;  // absolute addresses, after the text
  std::uint64_t hbm_end = 0;     // first byte after text and data
  std::uint32_t vmem_rows_reserved = 0;
  std::uint32_t smem_words_reserved = 0;
  bool arguments_in_smem = false;  // the argument block is in SMEM words 0..
  // Words of SMEM after the argument block, which a start brings together with it.
  std::vector<std::uint32_t> smem_contents;
  std::vector<StartCopy> start_copies;  // at most most_start_copies
  std::vector<Tensor> tensors;          // in order of declaration
  SourceTable source;                   // may be empty
  BufferTable buffers;                  // may be empty
  std::vector<Label> labels;            // ascending pc; may be empty
  std::vector<NamedValue> names;        // other things that the program names
  std::vector<GivenName> given;  // by `.equ`, `.set` and `.reg`; empty for a program from a file
};

}  // namespace tandem
