// An operation as the golden model executes it: fields of a slot, decoded once and spread out.
#pragma once

#include <cstdint>

#include "isa/instructions.hpp"
#include "isa/parameters.hpp"

namespace tandem::golden {

struct Core;
struct MicroOp;

// The effect of an instruction on the state, using what its check has captured.
using Execute = void (*)(Core&, const MicroOp&);
// Decides at issue, from register values alone, whether the instruction traps (true: Core::trap
// says why), and captures what the execution needs before anything of the bundle is written.
using Check = bool (*)(Core&, const MicroOp&);

struct MicroOp {
  union {
    Execute execute;
    Check check;
  };
  std::uint32_t value = 0;  // target, code, CSR number, flag (added to `base`) or byte number
  std::int32_t imm = 0;     // address offset, or the constant of a `scalar_imm` or a vector source
  std::int16_t stride = 1;  // rows
  std::uint16_t slot_bit = 0;  // 1 << slot
  Slot slot = Slot::sa;
  std::uint8_t predicate = 0;
  std::uint8_t negate = 0;
  std::uint8_t d = 0;           // destination in its file, possibly a spare register
  std::uint8_t base = 0;        // scalar of an address
  std::uint8_t sx = 0, sy = 0;  // scalar sources
  std::uint8_t n = 0;           // scalar of a `scalar_imm`
  bool constant = false;        // the `scalar_imm` is `imm`
  std::uint8_t px = 0, py = 0;  // predicate sources
  std::uint8_t px_not = 0, py_not = 0;
  std::uint8_t mx = 0, my = 0;  // mask sources
  bool mx_not = false, my_not = false;
  std::uint8_t vx = 0, vy = 0;          // vector sources, or scalars depending on the form
  std::uint8_t x_form = 0, y_form = 0;  // SourceForm, or Part in x_form
  std::uint8_t rows = sublanes;
  bool indexed = false;  // ld, st: rows given by the last vector source, below the scalar source
  bool first_option = false, second_option = false;  // mxmul: add, swap
  bool is_volatile = false;                          // csr: the value depends on time
};

}  // namespace tandem::golden
