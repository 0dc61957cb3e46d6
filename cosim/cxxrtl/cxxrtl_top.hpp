// The class that CXXRTL generates from tpu_core (generate.py), with the interface of a Verilated
// one, so that the templates of cosim/verilated accept it unchanged: ports by their names, state by
// Verilator's names, evaluation by the clock.
//
// An edge moves registers by the values of the evaluation before it; then everything that follows
// from registers and inputs is evaluated again, so that outputs are never a cycle old. While the
// clock is low there is another evaluation only if an input has changed, as with Verilator.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cosim/cxxrtl/held_register.hpp"
#include "cosim/cxxrtl/stand_in/verilated.h"
#include "cosim/rng.hpp"
#include "cosim/verilated/verilated_members.hpp"
#include "design.hpp"
#include "members.hpp"

namespace cxxrtl_machine {

using Design = cxxrtl_design::p_tpu__core;

// The type that Verilator uses for a port of this many bits.
template <std::size_t bits>
using Port = std::conditional_t<
    bits <= 8, std::uint8_t,
    std::conditional_t<
        bits <= 16, std::uint16_t,
        std::conditional_t<bits <= 32, std::uint32_t,
                           std::conditional_t<bits <= 64, std::uint64_t,
                                              std::array<std::uint32_t, (bits + 31) / 32>>>>>;

template <std::size_t bits>
void read_port(const Port<bits>& port, cxxrtl::value<bits>& value) {
  std::memcpy(value.data, &port, sizeof port < sizeof value.data ? sizeof port : sizeof value.data);
}
template <std::size_t bits>
void write_port(Port<bits>& port, const cxxrtl::value<bits>& value) {
  std::memcpy(&port, value.data, sizeof port);
}

template <std::size_t bits>
void draw(tandem::Rng& rng, cxxrtl::value<bits>& value) {
  for (std::uint32_t& chunk : value.data) chunk = static_cast<std::uint32_t>(rng.next());
  value.data[value.chunks - 1] &= value.msb_mask;
}

// slang makes one word of an array that is not a memory, with the first element on top; outside
// readers and writers of weights have the first element first.
using Weights =
    std::array<std::uint16_t, sizeof(Design::p_vector_2e_mxu_2e_array_2e_w0__q.curr) / 2>;

template <typename Register>
void show_weights(Weights& weights, const Register& held) {
  std::memcpy(weights.data(), held.curr.data, sizeof weights);
  std::reverse(weights.begin(), weights.end());
}
template <typename Register>
void take_weights(Register& held, const Weights& weights) {
  std::reverse_copy(weights.begin(), weights.end(),
                    reinterpret_cast<std::uint16_t*>(held.curr.data));
  held.next = held.curr;
}

struct Root {
  Design design;
  HeldRegister held;
#define X(name, member, width) Port<width> name{};  // NOLINT(bugprone-macro-parentheses)
  CXXRTL_INPUTS
  CXXRTL_OUTPUTS
#undef X

  // NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): Verilator's names
  // The first word of each; named as in Verilator (cosim/verilated/verilated_state.hpp).
  std::uint32_t& tpu_core__DOT__vector__DOT__vregs__DOT__v_q =
      design.memory_p_vector_2e_vregs_2e_v__q.data[0].data[0];
  std::uint32_t& tpu_core__DOT__vector__DOT__vmem__DOT__mem_q =
      design.memory_p_vector_2e_vmem_2e_mem__q.data[0].data[0];
  std::uint32_t& tpu_core__DOT__scalar__DOT__smem__DOT__mem_q =
      design.memory_p_scalar_2e_smem_2e_mem__q.data[0].data[0];
  std::uint32_t& tpu_core__DOT__scalar__DOT__smem__DOT__written_q =
      design.p_scalar_2e_smem_2e_written__q.curr.data[0];
  std::uint32_t& tpu_core__DOT__vector__DOT__mxu__DOT__acc__DOT__acc_q =
      design.memory_p_vector_2e_mxu_2e_acc_2e_acc__q.data[0].data[0];
  std::uint32_t& tpu_core__DOT__vector__DOT__mxu__DOT__active_q =
      design.p_vector_2e_mxu_2e_active__q.curr.data[0];
  Weights tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w0_q{};
  Weights tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w1_q{};
  Weights tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w2_q{};
  Weights tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w3_q{};
  // NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

  Root() = default;
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  void settle() {
#define X(name, member, width)                \
  read_port<width>(name, design.member.next); \
  design.member.curr = design.member.next;
    CXXRTL_INPUTS
#undef X
    take_weights(design.p_vector_2e_mxu_2e_array_2e_w0__q,
                 tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w0_q);
    take_weights(design.p_vector_2e_mxu_2e_array_2e_w1__q,
                 tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w1_q);
    take_weights(design.p_vector_2e_mxu_2e_array_2e_w2__q,
                 tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w2_q);
    take_weights(design.p_vector_2e_mxu_2e_array_2e_w3__q,
                 tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w3_q);
    design.settle();
#define X(name, member, width) write_port<width>(name, design.member.next);
    CXXRTL_OUTPUTS
#undef X
  }

  void edge() {
    held.before_edge();
    design.clock();
    design.commit();
    held.after_edge();
    settle_anew();
  }

  // After registers have changed.
  void settle_anew() {
    show_weights(tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w0_q,
                 design.p_vector_2e_mxu_2e_array_2e_w0__q);
    show_weights(tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w1_q,
                 design.p_vector_2e_mxu_2e_array_2e_w1__q);
    show_weights(tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w2_q,
                 design.p_vector_2e_mxu_2e_array_2e_w2__q);
    show_weights(tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w3_q,
                 design.p_vector_2e_mxu_2e_array_2e_w3__q);
    settle();
  }

  // Everything with state is randomized; tables stay.
  void redraw(std::uint32_t seed) {
    tandem::Rng rng(seed);
    design.reset();
#define X(name, member)          \
  draw(rng, design.member.curr); \
  design.member.next = design.member.curr;
    CXXRTL_REGISTERS
#undef X
#define X(name, member, depth) \
  for (std::size_t i = 0; i < (depth); ++i) draw(rng, design.member.data[i]);
    CXXRTL_MEMORIES
#undef X
    settle_anew();
  }
};

// ---- added by cmake/verilated_members.cmake to a Verilated class ----

inline void verilated_settle(Root& root) { root.settle_anew(); }
inline void verilated_redraw(Root& root) { root.redraw(Verilated::context()->seed); }
inline std::string_view verilated_sources(const Root&) { return CXXRTL_DIGEST; }

inline std::vector<tandem::VerilatedMember> verilated_members(Root& root) {
  return {
#define X(name, member)                                                      \
  {name, root.design.member.curr.data, sizeof root.design.member.curr.data}, \
      {name "/next", root.design.member.next.data, sizeof root.design.member.next.data},
      CXXRTL_REGISTERS
#undef X
#define X(name, member, depth) \
  {name, root.design.member.data.get(), (depth) * sizeof root.design.member.data[0]},
          CXXRTL_MEMORIES
#undef X
#define X(name, member, width) {#name, &root.name, sizeof root.name},
              CXXRTL_INPUTS
#undef X
  };
}

struct Top {
  explicit Top(VerilatedContext* context) : root(std::make_unique<Root>()), rootp(root.get()) {
    root->held.choose(verilated_members(*root));
    root->redraw(context->seed);
  }
  void eval() const { root->settle(); }
  void final() {}

  std::unique_ptr<Root> root;
  Root* rootp;
};

// When no input but the clock has changed: its fall changes nothing else.
inline void verilated_clock(Top& top) {
  if (top.root->clk_i != 0) top.root->edge();
}

}  // namespace cxxrtl_machine
