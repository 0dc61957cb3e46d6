// tpu_axi_top between a random AXI4 memory and an AXI4-Lite host with random delays. Registers
// begin as the seed draws them; the reset lasts one edge.
#pragma once

#include <verilated.h>

#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "isa/launch/launch.hpp"
#include "isa/registers/registers.hpp"
#include "tests/rtl/axi_memory.hpp"

namespace tandem::axi {

inline std::uint32_t register_number(std::string_view name) {
  for (const Register& row : registers()) {
    if (row.name == name) return row.number;
  }
  throw std::out_of_range(std::string(name));
}

// Reads a port of any width as words.
template <typename Port>
std::uint32_t port_word(const Port& port, std::size_t index) {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t word = 0;
  const std::size_t left = sizeof(Port) - std::min(sizeof(Port), index * 4);
  std::memcpy(&word, reinterpret_cast<const char*>(&port) + index * 4,
              std::min<std::size_t>(4, left));
  return word;
}

template <typename Top>
class Bench {
 public:
  Bench(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed)
      : beat_words_(parameters.lanes),
        top_(&seeded(context_, seed)),
        memory_(parameters, hbm_bytes, seed),
        random_(seed ^ 0x5aU) {
    top_.s_awvalid_i = top_.s_wvalid_i = top_.s_bready_i = top_.s_arvalid_i = top_.s_rready_i = 0;
    top_.rst_ni = 0;
    cycle();
    top_.rst_ni = 1;
    cycle();
  }
  ~Bench() { top_.final(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Memory& memory() { return memory_; }
  bool irq() const { return top_.irq_o != 0; }
  const std::vector<std::string>& violations() const { return violations_; }

  void write(std::string_view name, std::uint32_t value) {
    write_strobed(register_number(name), value, 0xf);
  }
  // Returns BRESP.
  std::uint32_t write_strobed(std::uint32_t number, std::uint32_t value, std::uint32_t strobes) {
    bool address_left = true;
    bool data_left = true;
    top_.s_awaddr_i = static_cast<std::uint16_t>(4 * number);
    top_.s_wdata_i = value;
    top_.s_wstrb_i = static_cast<std::uint8_t>(strobes);
    Patience patience;
    while (address_left || data_left) {
      patience.spend("a register write to be taken");
      // Address and data come in any order; valid ones stay valid.
      top_.s_awvalid_i = address_left && (top_.s_awvalid_i || random_() % 3 == 0);
      top_.s_wvalid_i = data_left && (top_.s_wvalid_i || random_() % 3 == 0);
      cycle();
      if (top_.s_awvalid_i && awready_) address_left = false;
      if (top_.s_wvalid_i && wready_) data_left = false;
    }
    top_.s_awvalid_i = 0;
    top_.s_wvalid_i = 0;
    do {
      patience.spend("the response to a register write");
      top_.s_bready_i = random_() % 3 == 0;
      cycle();
    } while (!(bvalid_ && top_.s_bready_i));
    top_.s_bready_i = 0;
    return bresp_;
  }

  std::uint32_t read(std::string_view name) {
    top_.s_araddr_i = static_cast<std::uint16_t>(4 * register_number(name));
    top_.s_arvalid_i = 1;
    Patience patience;
    do {
      patience.spend("a register read to be taken");
      cycle();
    } while (!arready_);
    top_.s_arvalid_i = 0;
    do {
      patience.spend("the response to a register read");
      top_.s_rready_i = random_() % 3 == 0;
      cycle();
    } while (!(rvalid_ && top_.s_rready_i));
    top_.s_rready_i = 0;
    return rdata_;
  }

  // A read and a write at the same time, followed by more of both while the host takes no response;
  // then the answers to the first two.
  struct Answers {
    std::uint32_t data = 0;
    std::uint32_t response = 0;
    std::uint32_t taken = 0;  // requests taken before any response was: one read, one write
  };
  Answers crowd(std::string_view name, std::string_view written, std::uint32_t value) {
    top_.s_awaddr_i = static_cast<std::uint16_t>(4 * register_number(written));
    top_.s_wdata_i = value;
    top_.s_wstrb_i = 0xf;
    top_.s_araddr_i = static_cast<std::uint16_t>(4 * register_number(name));
    top_.s_awvalid_i = top_.s_wvalid_i = top_.s_arvalid_i = 1;
    Answers answers;
    for (int i = 0; i < 10; ++i) {
      cycle();
      answers.taken += (arready_ ? 1 : 0) + (awready_ && wready_ ? 1 : 0);
      if (arready_) top_.s_araddr_i = 0;  // the next one wants another register
      if (awready_) top_.s_wdata_i = ~value;
    }
    top_.s_awvalid_i = top_.s_wvalid_i = top_.s_arvalid_i = 0;
    answers.data = rdata_;
    answers.response = bresp_;
    top_.s_rready_i = top_.s_bready_i = 1;
    cycle();
    top_.s_rready_i = top_.s_bready_i = 0;
    cycle();
    return answers;
  }

  void load(const Launch& launch) {
    for (const HbmSegment& segment : launch.segments) {
      memory_.contents().write(segment.address, segment.bytes);
    }
    write("text_lo", static_cast<std::uint32_t>(launch.text_address));
    write("text_hi", static_cast<std::uint32_t>(launch.text_address >> 32U));
    write("text_bundles", static_cast<std::uint32_t>(launch.image->text.size()));
    write("entry_pc", launch.image->entry_pc);
    write("arg_lo", static_cast<std::uint32_t>(launch.argument_pointer));
    write("arg_hi", static_cast<std::uint32_t>(launch.argument_pointer >> 32U));
    write("arg_words", launch.argument_words);
    write("hbm_lo", static_cast<std::uint32_t>(launch.hbm_bytes));
    write("hbm_hi", static_cast<std::uint32_t>(launch.hbm_bytes >> 32U));
  }
  // Starts and polls; returns the final status, with bit 0 still set when it never ended.
  std::uint32_t run(int polls = 200000) {
    write("control", 1);
    std::uint32_t status = read("status");
    while ((status & 1U) != 0 && polls-- > 0) status = read("status");
    return status;
  }
  void cycles(int count) {
    for (int i = 0; i < count; ++i) cycle();
  }

 private:
  static VerilatedContext& seeded(VerilatedContext& context, std::uint32_t seed) {
    context.randReset(2);
    context.randSeed(static_cast<int>(std::mt19937(seed)() | 1U));  // 0 would be any
    return context;
  }

  // Ends a bench whose other side is silent.
  class Patience {
   public:
    void spend(const std::string& what) {
      if (++cycles_ > 10'000) throw std::runtime_error("no end of waiting for " + what);
    }

   private:
    int cycles_ = 0;
  };

  void cycle() {
    drive_memory();
    top_.clk_i = 0;
    top_.eval();
    if (top_.rst_ni) sample();
    top_.clk_i = 1;
    top_.eval();
  }

  void drive_memory() {
    const Memory::Wires& wires = memory_.drive();
    top_.m_arready_i = wires.arready;
    top_.m_awready_i = wires.awready;
    top_.m_wready_i = wires.wready;
    top_.m_rvalid_i = wires.rvalid;
    top_.m_rresp_i = static_cast<std::uint8_t>(wires.rresp);
    top_.m_bvalid_i = wires.bvalid;
    top_.m_bresp_i = static_cast<std::uint8_t>(wires.bresp);
    if (wires.rvalid) std::memcpy(&top_.m_rdata_i, memory_.read_data().data(), 4 * beat_words_);
  }

  void sample() {
    WriteBeat beat;
    beat.valid = top_.m_wvalid_o;
    if (beat.valid) {
      beat.last = top_.m_wlast_o;
      for (std::size_t i = 0; i < beat_words_; ++i)
        beat.data.push_back(port_word(top_.m_wdata_o, i));
      for (std::size_t i = 0; i < 4 * beat_words_; ++i) {
        beat.strobes.push_back((port_word(top_.m_wstrb_o, i / 32) >> (i % 32)) & 1U);
      }
    }
    memory_.observe(
        {top_.m_arvalid_o != 0, top_.m_araddr_o, top_.m_arlen_o, top_.m_arsize_o, top_.m_arburst_o},
        {top_.m_awvalid_o != 0, top_.m_awaddr_o, top_.m_awlen_o, top_.m_awsize_o, top_.m_awburst_o},
        beat, top_.m_rready_o, top_.m_bready_o);
    awready_ = top_.s_awready_o;
    wready_ = top_.s_wready_o;
    arready_ = top_.s_arready_o;
    check_lite_response(bvalid_, bvalid_taken_, top_.s_bvalid_o, bresp_ == top_.s_bresp_o);
    check_lite_response(rvalid_, rvalid_taken_, top_.s_rvalid_o, rdata_ == top_.s_rdata_o);
    bvalid_ = top_.s_bvalid_o;
    bresp_ = top_.s_bresp_o;
    rvalid_ = top_.s_rvalid_o;
    rdata_ = top_.s_rdata_o;
    bvalid_taken_ = bvalid_ && top_.s_bready_i;
    rvalid_taken_ = rvalid_ && top_.s_rready_i;
  }

  void check_lite_response(bool before, bool taken, bool now, bool same) {
    if (before && !taken && !(now && same)) {
      violations_.emplace_back("a register response changed while it was not taken");
    }
  }

  std::size_t beat_words_;
  VerilatedContext context_;
  Top top_;
  Memory memory_;
  std::mt19937 random_;
  bool awready_ = false;
  bool wready_ = false;
  bool arready_ = false;
  bool bvalid_ = false;
  bool bvalid_taken_ = false;
  std::uint32_t bresp_ = 0;
  bool rvalid_ = false;
  bool rvalid_taken_ = false;
  std::uint32_t rdata_ = 0;
  std::vector<std::string> violations_;
};

}  // namespace tandem::axi
