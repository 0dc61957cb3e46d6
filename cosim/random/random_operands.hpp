// Random operations from the table: a choice for each kind of operand, without knowledge of single
// instructions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "cosim/random/program.hpp"
#include "cosim/rng.hpp"
#include "isa/encoding.hpp"

namespace tandem {

// Registers that random operations never write, because control flow or addresses need them.
namespace reserved {
inline constexpr std::uint32_t first_free = 1;  // s1 .. s15 belong to random operations
inline constexpr std::uint32_t last_free = 15;
inline constexpr std::uint32_t channel_total = 16;  // s16 .. s19: the flag's future value
inline constexpr std::uint32_t row_base = 20;       // s20 .. s23: rows below vmem_span
inline constexpr std::uint32_t smem_base = 24;      // a word below smem_span
inline constexpr std::uint32_t accumulator = 25;    // below 32
inline constexpr std::uint32_t copy_offset = 26;    // words, below 8
inline constexpr std::uint32_t weight_row = 27;     // a multiple of 8 below L
inline constexpr std::uint32_t loop_counter = 28;   // s28, s29: two levels of loops
inline constexpr std::uint32_t link = 30;
inline constexpr std::uint32_t jump_target = 31;
inline constexpr std::uint32_t small_values = 63;    // v63: the number of the sublane, 0 to 7
inline constexpr std::uint32_t loop_predicate = 7;   // p7; p6 is reserved too
inline constexpr std::uint32_t free_predicates = 5;  // p1 .. p5; all of p0 .. p7 may be read
}  // namespace reserved

// The part of the machine that random loads, stores and SMEM accesses may touch at any time.
struct SharedRegion {
  std::uint32_t vmem_rows;  // from row 0; a power of two
  std::uint32_t vmem_span;  // row bases are below this
  std::uint32_t smem_first;
  std::uint32_t smem_words;  // a power of two
  std::uint32_t smem_span;   // the base register is below this
};

SharedRegion shared_region(const Parameters& parameters, const RandomKnobs& knobs);

// Fills operands and remembers destinations so that later sources depend on recent results.
class OperandChooser {
 public:
  OperandChooser(Rng& rng, const Parameters& parameters, const RandomKnobs& knobs);

  // A random operation for this slot that writes none of `taken`, or nothing if none was found
  // after a few tries. Only operations that are allowed anywhere: no control flow, no copies.
  std::optional<Operation> operation(Slot slot, std::set<RegisterName>& taken);
  // A scalar operation that gives a reserved address register a new value within its range.
  std::optional<Operation> refresh(std::set<RegisterName>& taken);
  // An element of v63 as such an address: a scalar that arrives late.
  std::optional<Operation> slow_refresh(std::set<RegisterName>& taken);
  // To be called after each bundle: its destinations become recent.
  void end_bundle();

  // A 32-bit constant: small numbers, special floats and random bits.
  std::uint32_t constant();
  // Puts it under a predicate.
  void set_predicate(Operation& operation);

 private:
  OperandValue choose(const Operand& operand);
  OperandValue random_form(const Operand& operand);
  OperandValue choose_register(const Operand& operand);
  OperandValue choose_indexed(const Operand& operand);
  OperandValue choose_vsource(const Operand& operand);
  OperandValue choose_scalar_imm(const Operand& operand);
  OperandValue choose_constant(const Operand& operand);
  OperandValue choose_vmem(const Operand& operand);
  OperandValue choose_matrix_index(const Operand& operand);
  OperandValue choose_part(const Operand& operand);
  OperandValue choose_attribute(const Operand& operand);
  OperandValue choose_smem();
  std::uint32_t source(RegisterFile file, std::uint32_t count);
  std::optional<std::uint32_t> source_in_bundle(RegisterFile file, std::uint32_t count);
  std::optional<std::uint32_t> recent_source(RegisterFile file, std::uint32_t count);
  std::uint32_t destination_of(OperandKind kind);
  std::uint32_t csr_number();
  OperandValue aliased(std::size_t kind, OperandValue value);
  void fit_rows(Operation& operation) const;
  void add_predicate(Operation& operation);

  struct Recent {
    RegisterName name;
    std::uint32_t bundle;
    std::uint32_t latency;  // number of bundles after it that cannot read it without a wait
  };
  [[nodiscard]] bool is_exact(const Recent& recent) const;
  void remember(const RegisterName& name, Latency latency);

  Rng& rng_;
  const Parameters& parameters_;
  const RandomKnobs& knobs_;
  SharedRegion region_;
  std::array<std::vector<const Instruction*>, slot_count> candidates_;  // as often as their weight
  std::vector<Recent> recent_;
  std::vector<Recent> current_;                         // of the bundle being built
  std::array<std::vector<OperandValue>, 3> addresses_;  // recent: VMEM rows, VMEM words, SMEM
  std::vector<std::uint32_t> csrs_;
  std::uint32_t bundle_ = 0;
};

}  // namespace tandem
