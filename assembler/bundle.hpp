// Operations and bundles: text to encoded slots.
#pragma once

#include <array>
#include <optional>

#include "assembler/context.hpp"
#include "assembler/operand.hpp"
#include "assembler/text/lexer.hpp"
#include "isa/encoding.hpp"

namespace tandem::assembly {

// An operation that has been read but has no slot yet.
struct PlacedOperation {
  const Instruction* row = nullptr;
  SlotBits bits = 0;
  std::optional<Slot> slot;  // as named by its prefix
  std::optional<RegisterName> destination;
  PendingConstant pending;
  Span where;
  Operation operation;
  std::uint32_t line = 0;                   // of its first word
  VirtualRegisters virtuals = no_virtuals;  // in linear blocks
};

// The operations of one bundle, before slots are assigned.
class BundleBuilder {
 public:
  void add(const PlacedOperation& operation) {
    if (count_ < operations_.size()) operations_[count_] = operation;
    ++count_;
  }
  // Assigns slots, checks for conflicts, appends the bundle to the object. The location is that of
  // the bundle for the line table.
  void finish(Context& context, const Span& where, std::uint32_t line);

 private:
  bool place(Context& context);
  bool place_in(Context& context, std::size_t operation, Slot slot);
  bool place_anywhere(Context& context, std::size_t operation);
  bool check_conflicts(Context& context) const;
  void record_lines(Context& context, std::uint32_t pc, const Buffer& buffer,
                    std::uint32_t line) const;

  static constexpr std::size_t none = ~std::size_t{0};
  std::array<PlacedOperation, slot_count> operations_;
  std::size_t count_ = 0;
  std::array<std::size_t, slot_count> owner_{};  // of a slot: index into operations_, or none
};

// Instruction with this mnemonic, from a hash table; nullptr when there is none.
const Instruction* lookup_mnemonic(std::string_view mnemonic);

// Reads `[slot:] [@[!]p] [registers =] mnemonic operands`. False when an error was reported.
bool parse_operation(Context& context, Lexer& lexer, PlacedOperation& operation);

// Where the next bundle or linear operation comes from: the last .loc, or else this line and the
// macro calls around it; no_frame when locations are not recorded.
FrameId next_frame(Context& context, const Buffer& buffer, std::uint32_t line);

// Adds an empty or ready bundle to the text, with its line. False when the text is full.
bool append_bundle(Context& context, const Bundle& bundle, const Buffer& buffer,
                   std::uint32_t line);

}  // namespace tandem::assembly
