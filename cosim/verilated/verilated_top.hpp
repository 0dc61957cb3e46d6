// A Verilated tpu_core with a clock, a memory at its beat port and a host at its register port.
//
// One cycle is half_cycle(): drive the memory's wires, evaluate with the clock low, let the memory
// take the core's outputs; then users may sample the outputs; then rise(). Verilator computes
// everything that follows from inputs in every evaluation, a good part of the core; here only if
// one has changed, which never happens at the rising edge.
#pragma once

#include <verilated.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cosim/rng.hpp"
#include "cosim/verilated/memory_device.hpp"
#include "cosim/verilated/verilated_members.hpp"
#include "cosim/verilated/verilated_state.hpp"
#include "isa/registers/registers.hpp"
#include "isa/state/state.hpp"
#include "runtime/models/group_links.hpp"

namespace tandem {

// The 32-bit words of a port, whatever type Verilator gives it (at least 32 bits wide).
template <typename Port>
const std::uint32_t* port_words(const Port& port) {
  static_assert(sizeof(Port) >= 4 && std::endian::native == std::endian::little);
  return reinterpret_cast<const std::uint32_t*>(&port);
}

template <typename Array>
const std::uint16_t* port_halves(const Array& array) {
  return reinterpret_cast<const std::uint16_t*>(&array);
}

// The class that holds the ports and everything else; Top has references to the ports.
template <typename Top>
using RootOf = std::remove_pointer_t<decltype(Top::rootp)>;

template <typename Top>
class VerilatedTop {
 public:
  // `reset_seed` determines hidden state, which starts at random, and the length of the reset.
  VerilatedTop(const Parameters& parameters, std::uint32_t reset_seed) : parameters_(parameters) {
    context_.randReset(2);
    seed_hidden_state(reset_seed);
    top_ = std::make_unique<Top>(&context_);
    ports_ = top_->rootp;
    name_chip(0, 1);
  }
  ~VerilatedTop() {
    choose_context();
    top_->final();
  }
  VerilatedTop(const VerilatedTop&) = delete;
  VerilatedTop& operator=(const VerilatedTop&) = delete;

  Top& top() { return *top_; }
  const MemoryDevice& memory() const { return *memory_; }
  MemoryDevice& memory() { return *memory_; }
  // As the memory drove them in this cycle.
  const MemoryDevice::Wires& wires() const { return wires_; }
  std::uint64_t cycle() const { return cycle_; }

  // Puts a memory at the port; nothing may be in flight.
  void connect(std::unique_ptr<MemoryDevice> memory) { memory_ = std::move(memory); }

  // Resets all state to that of a new machine with this seed: nothing remains of earlier runs.
  void redraw(std::uint32_t reset_seed) {
    choose_context();
    seed_hidden_state(reset_seed);
    verilated_redraw(*ports_);
    changed_ = true;
  }

  void reset() {
    ports_->reg_write_i = 0;
    ports_->rst_ni = 0;
    changed_ = true;
    for (std::uint32_t i = 0; i < reset_cycles_; ++i) {
      half_cycle();
      rise();
    }
    ports_->rst_ni = 1;
    changed_ = true;
    half_cycle();
    rise();
  }

  // The chip number and the number of chips, to be set before a start; and the links of a chip of a
  // group, from this cycle on, which is their first.
  void name_chip(std::uint32_t chip, std::uint32_t chips) {
    ports_->chip_i = static_cast<std::uint8_t>(chip);
    ports_->chips_i = static_cast<std::uint8_t>(chips);
    tied_.reset();
    changed_ = true;
  }
  void tie(const LinkPorts<WireBeat>& ports) { tied_.emplace(ports, cycle_); }

  void half_cycle() {
    const MemoryDevice::Wires& wires = wires_ = memory_->drive(cycle_);
    drive(wires);
    drive_links();
    ports_->clk_i = 0;
    choose_context();
    if (changed_) {
      top_->eval();
    } else {
      verilated_clock(*top_);
    }
    changed_ = false;
    if (ports_->rst_ni == 0) return;  // before its first edge the port may show anything
    take_links();
    if (ports_->mem_rd_valid_o != 0 && wires.read_ready) {
      memory_->take_read(cycle_, ports_->mem_rd_addr_o, ports_->mem_rd_beats_o + 1U,
                         ports_->mem_rd_class_o);
    }
    if (ports_->mem_wdata_valid_o != 0) {
      if (wires.data_ready) {
        memory_->take_data(cycle_, port_words(ports_->mem_wdata_o),
                           port_words(ports_->mem_wstrb_o));
      } else if (!wires.data_expected) {
        memory_->refuse_data();
      }
    }
    if (ports_->mem_wr_valid_o != 0 && wires.write_ready) {
      memory_->take_write(cycle_, ports_->mem_wr_addr_o, ports_->mem_wr_beats_o + 1U);
    }
  }

  void rise() {
    ports_->clk_i = 1;
    verilated_clock(*top_);
    ++cycle_;
  }

  // A register's current value for the host.
  std::uint32_t read_host(std::uint32_t number) {
    ports_->reg_addr_i = static_cast<std::uint16_t>(number);
    evaluate();
    return ports_->reg_rdata_o;
  }

  // Takes one cycle.
  void write_host(std::uint32_t number, std::uint32_t value) {
    ports_->reg_write_i = 1;
    ports_->reg_addr_i = static_cast<std::uint16_t>(number);
    ports_->reg_wdata_i = value;
    changed_ = true;
    half_cycle();
    rise();
    ports_->reg_write_i = 0;
    changed_ = true;
  }

  void write_pair(std::string_view low, std::uint64_t value) {
    const std::uint32_t number = find_register(low)->number;
    write_host(number, static_cast<std::uint32_t>(value));
    write_host(number + 1, static_cast<std::uint32_t>(value >> 32U));
  }

  // Between two cycles. `Top` has a table of its members (verilated_members.hpp).
  void save_to(ArchiveWriter& archive) {
    archive(*memory_, wires_, cycle_);
    save_members(archive, verilated_members(*ports_));
  }
  void restore_from(ArchiveReader& archive) {
    archive(*memory_, wires_, cycle_);
    restore_members(archive, verilated_members(*ports_));
    choose_context();
    verilated_settle(*ports_);
    changed_ = true;
  }

  // The contents of never-written state at a start.
  void fill_patterns(std::uint32_t seed) {
    RootOf<Top>& root = *ports_;
    const std::uint32_t vector = parameters_.vector_words();
    const std::uint32_t square = parameters_.lanes * parameters_.lanes;
    fill(mutable_words(VerilatedState::vectors(root)), vector_registers * vector, seed,
         PatternSpace::vectors);
    fill(mutable_words(VerilatedState::accumulators(root)), tandem::accumulators * vector, seed,
         PatternSpace::accumulators);
    fill(mutable_words(VerilatedState::vmem(root)), parameters_.vmem_words(), seed,
         PatternSpace::vmem);
    auto* active = const_cast<std::uint16_t*>(port_halves(VerilatedState::active_weights(root)));
    auto* filling = const_cast<std::uint16_t*>(port_halves(VerilatedState::filling_weights(root)));
    for (std::uint32_t i = 0; i < square; ++i) {
      active[i] = static_cast<std::uint16_t>(pattern(seed, PatternSpace::weights, i));
      filling[i] = static_cast<std::uint16_t>(pattern(seed, PatternSpace::weights, square + i));
    }
    changed_ = true;
  }

 private:
  static constexpr std::uint32_t most_reset_cycles = 4;

  // Verilator's library uses a per-thread context: with several machines alive it must be this
  // one's, in particular when this machine is destroyed first.
  void choose_context() { Verilated::threadContextp(&context_); }

  // Verilator's random bits are sums of bits of its seed, so that small seeds agree in many of
  // them: it gets a seed with all bits drawn, and not 0, which it takes as "any".
  void seed_hidden_state(std::uint32_t reset_seed) {
    Rng rng(reset_seed);
    context_.randSeed(static_cast<int>(rng.next() | 1U));
    reset_cycles_ = 1 + rng.below(most_reset_cycles);
  }

  void evaluate() {
    choose_context();
    top_->eval();
  }

  void drive(const MemoryDevice::Wires& wires) {
    set(ports_->mem_rd_ready_i,
        wires.read_ready && ports_->rst_ni != 0);  // a request may be present in reset
    set(ports_->mem_wr_ready_i, wires.write_ready);
    set(ports_->mem_wdata_ready_i, wires.data_ready);
    set(ports_->mem_rsp_valid_i, wires.response_valid);
    set(ports_->mem_wrsp_valid_i, wires.write_response_valid);
    set(ports_->mem_error_i, wires.error);
    if (!wires.response_valid) return;
    std::memcpy(mutable_words(ports_->mem_rsp_data_i), memory_->response(),
                parameters_.beat_bytes());
    changed_ = true;
  }
  // ---- links: bit 0 and the low half to the right, bit 1 and the upper half to the left
  struct Tied {
    Tied(const LinkPorts<WireBeat>& to, std::uint64_t cycle) : ports(to), first(cycle) {}
    LinkPorts<WireBeat> ports;
    std::uint64_t first;  // the cycle in which links count 0
  };
  [[nodiscard]] std::uint64_t link_cycle() const { return cycle_ - tied_->first; }

  void drive_links() {
    std::uint32_t ready = 0;
    std::uint32_t credit = 0;
    std::uint32_t valid = 0;
    std::uint32_t head = 0;
    for (std::uint32_t way = 0; tied_ && way < link_ways; ++way) {
      const std::uint64_t cycle = link_cycle();
      ready |= tied_->ports.out[way]->ready(cycle) ? 1U << way : 0;
      credit |= tied_->ports.out[way]->take_credit(cycle) ? 1U << way : 0;
      if (!tied_->ports.in[way]->arrives(cycle)) continue;
      const WireBeat beat = tied_->ports.in[way]->take_beat();
      valid |= 1U << way;
      head |= beat.is_header ? 1U << way : 0;
      put_link_bits(mutable_words(ports_->link_in_data_i), way, beat.words);
      changed_ = true;
    }
    set_bits(ports_->link_out_ready_i, ready);
    set_bits(ports_->link_out_credit_i, credit);
    set_bits(ports_->link_in_valid_i, valid);
    set_bits(ports_->link_in_head_i, head);
  }
  void take_links() {
    if (!tied_) return;
    for (std::uint32_t way = 0; way < link_ways; ++way) {
      const std::uint64_t cycle = link_cycle();
      const bool ready = (ports_->link_out_ready_i >> way & 1U) != 0;
      if (ready && (ports_->link_out_valid_o >> way & 1U) != 0) {
        const bool is_header = (ports_->link_out_head_o >> way & 1U) != 0;
        tied_->ports.out[way]->send(
            cycle, {is_header, link_bits(port_words(ports_->link_out_data_o), way)});
      }
      if ((ports_->link_in_credit_o >> way & 1U) != 0) tied_->ports.in[way]->give_credit(cycle);
    }
  }
  // The bits of one direction in the words of both, which need not begin at a word boundary.
  [[nodiscard]] std::uint32_t link_beat_bits() const { return parameters_.lanes * 33; }
  std::vector<std::uint32_t> link_bits(const std::uint32_t* both, std::uint32_t way) const {
    std::vector<std::uint32_t> words((link_beat_bits() + 31) / 32);
    for (std::uint32_t bit = 0; bit < link_beat_bits(); ++bit) {
      const std::uint32_t from = way * link_beat_bits() + bit;
      words[bit / 32] |= (both[from / 32] >> (from % 32) & 1U) << (bit % 32);
    }
    return words;
  }
  void put_link_bits(std::uint32_t* both, std::uint32_t way,
                     const std::vector<std::uint32_t>& words) const {
    for (std::uint32_t bit = 0; bit < link_beat_bits(); ++bit) {
      const std::uint32_t to = way * link_beat_bits() + bit;
      const std::uint32_t mask = 1U << (to % 32);
      const bool one = (words[bit / 32] >> (bit % 32) & 1U) != 0;
      both[to / 32] = one ? both[to / 32] | mask : both[to / 32] & ~mask;
    }
  }
  void set_bits(std::uint8_t& input, std::uint32_t value) {
    changed_ = changed_ || input != static_cast<std::uint8_t>(value);
    input = static_cast<std::uint8_t>(value);
  }

  void set(std::uint8_t& input, bool value) {
    changed_ = changed_ || input != static_cast<std::uint8_t>(value);
    input = static_cast<std::uint8_t>(value);
  }

  template <typename Array>
  static std::uint32_t* mutable_words(Array& array) {
    return const_cast<std::uint32_t*>(port_words(array));
  }

  static void fill(std::uint32_t* words, std::uint32_t count, std::uint32_t seed,
                   PatternSpace space) {
    for (std::uint32_t i = 0; i < count; ++i) words[i] = pattern(seed, space, i);
  }

  Parameters parameters_;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
  RootOf<Top>* ports_;  // of top_
  std::unique_ptr<MemoryDevice> memory_;
  MemoryDevice::Wires wires_;  // of this cycle
  std::optional<Tied> tied_;   // a chip of a group
  std::uint64_t cycle_ = 0;
  std::uint32_t reset_cycles_ = 1;
  bool changed_ = true;  // an input was set since the last evaluation
};

}  // namespace tandem
