// A program between text and launch: the contents of one ELF file. The assembler makes an Object
// from one text, the linker makes one linked Object from several, the ELF reader and writer turn
// either into bytes and back, the disassembler into text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/object/function.hpp"

namespace tandem {

// The kind of a symbol, and the unit of its value.
enum class Place : std::uint8_t {
  undefined,  // another object defines it
  absolute,   // a number
  text,       // bundles
  data,       // bytes from the start of .data; in a linked program the HBM address
  bss,        // bytes from the start of .bss; in a linked program the HBM address
  vmem,       // rows
  smem,       // words
  tensor,     // bytes: offset of the tensor's entry in the argument block
};

struct Symbol {
  std::string name;  // of a tensor: "x.entry"
  Place place = Place::undefined;
  bool global = false;
  std::uint64_t value = 0;
};

// The value stored at the target of a relocation. S is the value of the symbol in its unit, k
// log2_scale, A the addend: (S << k) + A, or A - (S << k) when `negative`. `lo` and `hi` store the
// low or the high 32 bits of that sum.
enum class RelocationKind : std::uint8_t {
  operand = 1,  // the constant of the operation in the slot, with the range its operand allows
  operand_lo,
  operand_hi,
  word32,  // four bytes of .data
  word32_lo,
  word32_hi,
  word64,  // eight bytes of .data
};

struct Relocation {
  std::uint64_t offset = 0;  // text: byte of the first bit of the slot; data: byte
  std::int64_t addend = 0;
  std::uint32_t symbol = 0;  // index into Object::symbols
  RelocationKind kind = RelocationKind::operand;
  std::uint8_t log2_scale = 0;
  bool negative = false;
};

struct Object {
  const Parameters* preset = nullptr;
  bool linked = false;

  std::vector<Bundle> text;
  std::vector<std::uint8_t> data;  // .data
  // Contents of .smem from its first word on (of a linked program: from the end of the argument
  // block on), up to the last word that has any.
  std::vector<std::uint32_t> smem_contents;
  std::vector<StartCopy> start_copies;    // `.start_copy`
  std::uint64_t bss_bytes = 0;            // zero-initialized HBM, which takes no space in the file
  std::uint32_t vmem_rows = 0;            // reserved
  std::uint32_t smem_words = 0;           // reserved
  std::uint64_t data_alignment = 4;       // bytes
  std::uint64_t bss_alignment = 4;        // bytes
  std::uint32_t vmem_alignment = 1;       // rows
  std::uint32_t smem_alignment = 1;       // words
  bool arguments_in_smem = false;         // `.arguments`: SMEM begins with the argument block
  std::string producer;                   // `.producer`: tool and version; may be ""
  std::optional<std::uint32_t> entry_pc;  // absent: bundle 0, or that of another object

  std::vector<Symbol> symbols;
  std::vector<Relocation> text_relocations;  // empty when linked
  std::vector<Relocation> data_relocations;
  std::vector<Tensor> tensors;
  SourceTable source;
  BufferTable buffers;
  // Ascending `from`. For debuggers that read the text themselves: files do not hold it.
  std::vector<GivenName> given;
  // Declarations of the text's functions, for linking calls. Files do not hold them.
  std::vector<Function> functions;
};

// The number of words at the beginning of SMEM taken by the argument block of these tensors.
std::uint32_t argument_block_words(const Object& object);

// The addresses of .data and .bss of a linked program in HBM; each at a multiple of 4096.
std::uint64_t data_address(const Object& program);
std::uint64_t bss_address(const Object& program);

// The program as the models see it. Precondition: program.linked.
Image make_image(const Object& program);

// Puts symbols into the order of the file: local before global, then by place, value, name. Returns
// the new index of each old one.
std::vector<std::uint32_t> sort_symbols(std::vector<Symbol>& symbols);

// An empty string when the program was built for exactly these parameters; otherwise the refusal,
// with both values: "built for preset `small` (lanes 16), this machine is `nano` (lanes 8)".
std::string target_mismatch(const Parameters& built_for, const Parameters& machine);

}  // namespace tandem
