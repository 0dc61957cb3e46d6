#include "tests/arithmetic/sweeps.hpp"

#include <fmt/format.h>

#include <array>

#include "Vbf16_bench.h"
#include "Veup_bench.h"
#include "Vvalu_bench.h"
#include "isa/instructions.hpp"
#include "isa/numerics/compare.hpp"
#include "isa/numerics/convert.hpp"
#include "isa/numerics/eup.hpp"
#include "isa/numerics/flush_scope.hpp"
#include "isa/numerics/host_vector.hpp"
#include "tests/rtl/bench.hpp"

namespace tandem::arithmetic {
namespace {

using bench::Bench;
using bench::elements;
using bench::Vector;

constexpr std::uint64_t all_inputs = std::uint64_t{1} << 32U;
constexpr std::uint64_t pieces_of_all = 256;
constexpr std::uint64_t corner_pieces = 250;
constexpr std::uint64_t corners_a_piece = 4'000'000;  // 10^9 in all

using Unary = std::uint32_t (*)(std::uint32_t);
using OnArray = void (*)(std::uint32_t*, const std::uint32_t*, std::size_t);
using Binary = std::uint32_t (*)(std::uint32_t, std::uint32_t);
using OnArrays = void (*)(std::uint32_t*, const std::uint32_t*, const std::uint32_t*, std::size_t);

bool planted = false;

void compare(Finding& finding, const char* sides, std::uint32_t x, std::uint32_t y,
             std::uint32_t expected, std::uint32_t got) {
  if (planted && finding.differences == 0) got ^= 1U;
  if (expected == got || finding.differences++ != 0) return;
  finding.first =
      fmt::format("{}: {:08x}, {:08x}: expected {:08x}, got {:08x}", sides, x, y, expected, got);
}

class Valu : public Bench<Vvalu_bench> {
 public:
  // Both operands are vectors, bytes those of the lowest place.
  Valu() {
    auto& unit = *this;
    unit->start_i = 0;
    unit->x_form_i = unit->y_form_i = 0;
    unit->x_scalar_i = unit->y_scalar_i = 0;
    unit->byte_i = unit->n_i = 0;
  }

  // One operation on 128 elements.
  void run(Op op, const Vector& x, const Vector& y) {
    auto& unit = *this;
    bench::put(unit->x_i, x);
    bench::put(unit->y_i, y);
    unit->op_i = instruction(op).opcode;
    unit->start_i = 1;
    clock();
    unit->start_i = 0;
  }
};

// All inputs of one operand; the other is 0 and its lanes are not looked at.
struct Conversion {
  const char* name;
  Op op;
  Unary definition;
  OnArray host;  // may be nullptr
};

std::uint32_t from_s32(std::uint32_t a) {
  return numerics::f32_from_s32(static_cast<std::int32_t>(a));
}
std::uint32_t to_s32_nearest(std::uint32_t a) {
  return static_cast<std::uint32_t>(numerics::f32_to_s32_nearest(a));
}
std::uint32_t to_s32_truncated(std::uint32_t a) {
  return static_cast<std::uint32_t>(numerics::f32_to_s32_truncated(a));
}
// The low half takes x; the high half, of y = 0, is 0.
std::uint32_t to_bf16(std::uint32_t a) { return numerics::bf16_from_f32(a); }
void to_bf16_array(std::uint32_t* result, const std::uint32_t* a, std::size_t n) {
  static const std::array<std::uint32_t, elements> zeros{};
  numerics::bf16_pack_array(result, a, zeros.data(), n);
}
std::uint32_t from_s8(std::uint32_t a) { return numerics::f32_from_s8(a, 0); }
std::uint32_t s8_to_s32(std::uint32_t a) {
  return static_cast<std::uint32_t>(numerics::s8_extract(a, 0));
}

constexpr Conversion conversions[] = {
    {"cvt_f32_s32", Op::vcvt_f32_s32, from_s32, numerics::f32_from_s32_array},
    {"cvt_s32_f32", Op::vcvt_s32_f32, to_s32_nearest, numerics::f32_to_s32_nearest_array},
    {"trunc_s32_f32", Op::vtrunc_s32_f32, to_s32_truncated, numerics::f32_to_s32_truncated_array},
    {"floor_f32", Op::vfloor_f32, numerics::f32_floor, numerics::f32_floor_array},
    {"round_f32", Op::vround_f32, numerics::f32_nearest, numerics::f32_nearest_array},
    {"pack_bf16", Op::vpack_bf16, to_bf16, to_bf16_array},
    {"ext_f32_s8", Op::vext_f32_s8, from_s8, nullptr},
    {"ext_s32_s8", Op::vext_s32_s8, s8_to_s32, nullptr},
};

Finding run_conversion(const Conversion& conversion, std::uint64_t piece) {
  const numerics::FlushScope flush;
  Valu valu;
  Vector x{};
  Vector host{};
  Finding finding;
  constexpr std::uint64_t size = all_inputs / pieces_of_all;
  for (std::uint64_t base = piece * size; base < (piece + 1) * size; base += elements) {
    for (unsigned i = 0; i < elements; ++i) x[i] = static_cast<std::uint32_t>(base + i);
    valu.run(conversion.op, x, {});
    if (conversion.host != nullptr) conversion.host(host.data(), x.data(), elements);
    for (unsigned i = 0; i < elements; ++i) {
      const std::uint32_t expected = conversion.definition(x[i]);
      compare(finding, "RTL", x[i], 0, expected, valu->result_o[i]);
      if (conversion.host != nullptr) compare(finding, "host", x[i], 0, expected, host[i]);
    }
  }
  finding.vectors = size;
  return finding;
}

struct Arithmetic {
  const char* name;
  Op op;
  Binary definition;
  OnArrays host;
};
constexpr Arithmetic arithmetic[] = {
    {"add_f32", Op::vadd_f32, numerics::f32_add, numerics::f32_add_array},
    {"mul_f32", Op::vmul_f32, numerics::f32_mul, numerics::f32_mul_array},
};

// RTL and the host's floating-point unit against the definition.
Finding run_arithmetic(const Arithmetic& operation, std::uint64_t piece) {
  const numerics::FlushScope flush;
  Valu valu;
  bench::Random random(0x5eed'0000 + piece);
  Vector x{};
  Vector y{};
  Vector host{};
  Finding finding;
  for (; finding.vectors < corners_a_piece; finding.vectors += elements) {
    for (unsigned i = 0; i < elements; ++i) {
      x[i] = bench::corner_f32(random);
      y[i] = bench::corner_partner(random, x[i]);
    }
    valu.run(operation.op, x, y);
    operation.host(host.data(), x.data(), y.data(), elements);
    for (unsigned i = 0; i < elements; ++i) {
      const std::uint32_t expected = operation.definition(x[i], y[i]);
      compare(finding, "RTL", x[i], y[i], expected, valu->result_o[i]);
      compare(finding, "host", x[i], y[i], expected, host[i]);
    }
  }
  return finding;
}

struct Transcendental {
  const char* name;
  Op op;
  Unary definition;
  OnArray host;
};
constexpr Transcendental transcendentals[] = {
    {"exp2", Op::exp2, numerics::eup_exp2, numerics::eup_exp2_array},
    {"log2", Op::log2, numerics::eup_log2, numerics::eup_log2_array},
    {"rcp", Op::rcp, numerics::eup_rcp, numerics::eup_rcp_array},
    {"rsqrt", Op::rsqrt, numerics::eup_rsqrt, numerics::eup_rsqrt_array},
    {"tanh", Op::tanh, numerics::eup_tanh, numerics::eup_tanh_array},
};

// One operation after another: its result is there nine cycles after its start.
class Eup : public Bench<Veup_bench> {
 public:
  Eup() { (*this)->start_i = 0; }

  void run(Op op, const Vector& x) {
    auto& unit = *this;
    unit->op_i = instruction(op).opcode;
    bench::put(unit->x_i, x);
    unit->start_i = 1;
    clock();
    unit->start_i = 0;
    for (int cycles = 1; unit->done_o == 0 && cycles < 20; ++cycles) clock();
  }
};

Finding run_transcendental(const Transcendental& function, std::uint64_t piece) {
  const numerics::FlushScope flush;
  Eup eup;
  Vector x{};
  Vector host{};
  Finding finding;
  constexpr std::uint64_t size = all_inputs / pieces_of_all;
  for (std::uint64_t base = piece * size; base < (piece + 1) * size; base += elements) {
    for (unsigned i = 0; i < elements; ++i) x[i] = static_cast<std::uint32_t>(base + i);
    eup.run(function.op, x);
    if (eup->done_o == 0) compare(finding, "RTL is not done", x[0], 0, 1, 0);
    function.host(host.data(), x.data(), elements);
    for (unsigned i = 0; i < elements; ++i) {
      const std::uint32_t expected = function.definition(x[i]);
      compare(finding, "RTL", x[i], 0, expected, eup->result_o[i]);
      compare(finding, "host", x[i], 0, expected, host[i]);
    }
  }
  finding.vectors = size;
  return finding;
}

// 256 activations against all weights.
Finding run_bf16(std::uint64_t piece) {
  const numerics::FlushScope flush;
  Bench<Vbf16_bench> bench;
  std::array<std::uint32_t, 256> x{};
  std::array<std::uint32_t, 256> y{};
  std::array<std::uint32_t, 256> host{};
  Finding finding;
  for (std::uint32_t low = 0; low < 256; ++low) {
    const auto a = static_cast<std::uint16_t>(piece << 8U | low);
    bench->a_i = a;
    x.fill(numerics::f32_from_bf16(a));
    for (std::uint32_t high = 0; high < 256; ++high) {
      bench->w_i = static_cast<std::uint8_t>(high);
      bench.clock();
      for (std::uint32_t i = 0; i < 256; ++i) {
        y[i] = numerics::f32_from_bf16(static_cast<std::uint16_t>(high << 8U | i));
      }
      numerics::f32_mul_array(host.data(), x.data(), y.data(), host.size());
      for (std::uint32_t i = 0; i < 256; ++i) {
        const std::uint32_t expected =
            numerics::bf16_product(a, static_cast<std::uint16_t>(high << 8U | i));
        compare(finding, "RTL", a, high << 8U | i, expected, bench->product_o[i]);
        compare(finding, "host", a, high << 8U | i, expected, host[i]);
      }
    }
  }
  finding.vectors = 1U << 24U;
  return finding;
}

}  // namespace

void plant_difference() { planted = true; }

std::vector<Sweep> sweeps() {
  std::vector<Sweep> all{
      {"mul_bf16", "all pairs, RTL and host against the definition", pieces_of_all, run_bf16}};
  for (const Conversion& conversion : conversions) {
    all.push_back({conversion.name,
                   conversion.host != nullptr ? "all inputs, RTL and host against the definition"
                                              : "all inputs, RTL against the definition",
                   pieces_of_all, [&conversion](std::uint64_t piece) {
                     return run_conversion(conversion, piece);
                   }});
  }
  for (const Transcendental& function : transcendentals) {
    all.push_back(
        {function.name, "all inputs, RTL and host against the definition", pieces_of_all,
         [&function](std::uint64_t piece) { return run_transcendental(function, piece); }});
  }
  for (const Arithmetic& operation : arithmetic) {
    all.push_back({operation.name, "10^9 corners, RTL and host FPU against the definition",
                   corner_pieces,
                   [&operation](std::uint64_t piece) { return run_arithmetic(operation, piece); }});
  }
  return all;
}

}  // namespace tandem::arithmetic
