// The RTL behind the Machine interface: a template over the Verilated class, instantiated once a
// preset by rtl_machine.cpp.in. `Backdoor` names the state inside that class (see there).
//
// One cycle: drive the memory's wires, evaluate with the clock low, look at the outputs (the
// retirement port is registered, so it is stable), raise the clock, evaluate.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "cosim/machine.hpp"
#include "cosim/memory_device.hpp"
#include "cosim/timing_probe.hpp"
#include "isa/state.hpp"

namespace tandem {

// The 32-bit words of a port, whatever type Verilator gives it (at least 32 bits wide).
template <typename Port>
const std::uint32_t* port_words(const Port& port) {
  static_assert(sizeof(Port) >= 4 && std::endian::native == std::endian::little);
  return reinterpret_cast<const std::uint32_t*>(&port);
}

template <typename Top, typename Backdoor>
class VerilatedMachine final : public Machine {
 public:
  VerilatedMachine(const Parameters& parameters, const MachineOptions& options)
      : parameters_(parameters), options_(options) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(options.reset_seed));
    top_ = std::make_unique<Top>(&context_);
  }
  ~VerilatedMachine() override {
    choose_context();
    top_->final();
  }
  VerilatedMachine(const VerilatedMachine&) = delete;
  VerilatedMachine& operator=(const VerilatedMachine&) = delete;

  std::string_view name() const override { return "rtl"; }
  const Parameters& parameters() const override { return parameters_; }
  std::uint64_t cycles() const override { return cycle_ - start_cycle_; }
  std::uint64_t bundles() const override { return bundles_; }
  std::uint64_t memory_beats() const override { return memory_ ? memory_->beats() : 0; }
  StallCause cause() const override {
    return static_cast<StallCause>(std::min<std::uint32_t>(
        top_->ret_cause_o, static_cast<std::uint32_t>(stall_causes().size()) - 1));
  }
  const SparseMemory& hbm() const override { return memory_->contents(); }

  void set_timing(TimingSink* sink) override { timing_sink_ = sink; }

  void start(const Launch& launch) override {
    memory_ = std::make_unique<MemoryDevice>(parameters_, options_.memory, launch.hbm_bytes);
    memory_->load(launch.segments);
    reset();
    fill_patterns(launch.seed);
    write_pair("text_lo", launch.text_address);
    write_host(register_number("text_bundles"),
               static_cast<std::uint32_t>(launch.image->text.size()));
    write_host(register_number("entry_pc"), launch.image->entry_pc);
    write_pair("arg_lo", launch.argument_pointer);
    write_pair("hbm_lo", launch.hbm_bytes);
    write_host(register_number("control"), 1);
    start_cycle_ = cycle_;
    tail_ = 0;
    bundles_ = 0;
    timing_.reset();
    if (timing_sink_ != nullptr) timing_.emplace(*timing_sink_, *this);
  }

  bool cycle(EventSink* sink) override {
    choose_context();
    half_cycle();
    bundles_ += top_->ret_issue_valid_o;
    if (timing_) sample_timing(*timing_);
    if (sink != nullptr) sample(*sink);
    rise();
    // The retirement port is a cycle behind; running_o may fall before the last events.
    if (top_->running_o == 0) ++tail_;
    return tail_ < drained_cycles;
  }

  MachineState state() const override {
    const auto& root = *top_->rootp;
    const bool one = Backdoor::active(root) != 0;
    MachineState state;
    state.scalars = port_words(top_->ret_sregs_o);
    state.flags = port_words(top_->ret_flags_o);
    state.predicates = static_cast<std::uint8_t>(top_->ret_pregs_o);
    state.masks = port_words(top_->ret_mregs_o);
    state.vectors = port_words(Backdoor::vectors(root));
    state.accumulators = port_words(Backdoor::accumulators(root));
    state.weights_active = halves(one ? Backdoor::weights1(root) : Backdoor::weights0(root));
    state.weights_filling = halves(one ? Backdoor::weights0(root) : Backdoor::weights1(root));
    state.vmem = port_words(Backdoor::vmem(root));
    state.smem = port_words(Backdoor::smem(root));
    return state;
  }

  MachineStatus status() override {
    MachineStatus status;
    const std::uint32_t bits = read_register(register_number("status"));
    status.halted = (bits & 2U) != 0;
    status.trapped = (bits & 4U) != 0;
    status.machine_check = (bits & 8U) != 0;
    status.trap_cause = read_register(register_number("trap_cause"));
    status.trap_pc = read_register(register_number("trap_pc"));
    status.trap_detail = read_register(register_number("trap_detail"));
    return status;
  }

  std::uint32_t read_register(std::uint32_t number) override {
    top_->reg_addr_i = static_cast<std::uint16_t>(number);
    top_->eval();
    return top_->reg_rdata_o;
  }

 private:
  static constexpr int drained_cycles = 8;
  static constexpr int reset_cycles = 4;
  static constexpr std::uint32_t copy_read_class = 1;  // of mem_rd_class_o

  // Verilator's library works on a context of the thread: with several machines alive it must be
  // this one's, above all when this machine goes first.
  void choose_context() { Verilated::threadContextp(&context_); }

  template <typename Array>
  static const std::uint16_t* halves(const Array& array) {
    return reinterpret_cast<const std::uint16_t*>(&array);
  }
  template <typename Array>
  static std::uint32_t* mutable_words(Array& array) {
    return const_cast<std::uint32_t*>(port_words(array));
  }
  static std::uint32_t register_number(std::string_view name) {
    return find_register(name)->number;
  }

  void half_cycle() {
    const MemoryDevice::Wires& wires = wires_ = memory_->drive(cycle_);
    top_->mem_rd_ready_i = wires.read_ready;
    top_->mem_wr_ready_i = wires.write_ready;
    top_->mem_wdata_ready_i = wires.data_ready;
    top_->mem_rsp_valid_i = wires.response_valid;
    top_->mem_wrsp_valid_i = wires.write_response_valid;
    top_->mem_error_i = wires.error;
    if (wires.response_valid) {
      std::memcpy(mutable_words(top_->mem_rsp_data_i), memory_->response(),
                  parameters_.beat_bytes());
    }
    top_->clk_i = 0;
    top_->eval();
    if (top_->rst_ni == 0) return;  // before its first edge the port may show anything
    if (top_->mem_rd_valid_o != 0 && wires.read_ready) {
      memory_->take_read(cycle_, top_->mem_rd_addr_o, top_->mem_rd_beats_o + 1U,
                         top_->mem_rd_class_o);
    }
    if (top_->mem_wdata_valid_o != 0 && wires.data_ready) {
      memory_->take_data(cycle_, port_words(top_->mem_wdata_o), port_words(top_->mem_wstrb_o));
    }
    if (top_->mem_wr_valid_o != 0 && wires.write_ready) {
      memory_->take_write(cycle_, top_->mem_wr_addr_o, top_->mem_wr_beats_o + 1U);
    }
  }

  void rise() {
    top_->clk_i = 1;
    top_->eval();
    ++cycle_;
  }

  void reset() {
    top_->reg_write_i = 0;
    top_->rst_ni = 0;
    for (int i = 0; i < reset_cycles; ++i) {
      half_cycle();
      rise();
    }
    top_->rst_ni = 1;
    half_cycle();
    rise();
  }

  void write_host(std::uint32_t number, std::uint32_t value) {
    top_->reg_write_i = 1;
    top_->reg_addr_i = static_cast<std::uint16_t>(number);
    top_->reg_wdata_i = value;
    half_cycle();
    rise();
    top_->reg_write_i = 0;
  }

  void write_pair(std::string_view low, std::uint64_t value) {
    write_host(register_number(low), static_cast<std::uint32_t>(value));
    write_host(register_number(low) + 1, static_cast<std::uint32_t>(value >> 32U));
  }

  void fill_patterns(std::uint32_t seed) {
    auto& root = *top_->rootp;
    const std::uint32_t vector = parameters_.vector_words();
    const std::uint32_t square = parameters_.lanes * parameters_.lanes;
    fill(mutable_words(Backdoor::vectors(root)), vector_registers * vector, seed,
         PatternSpace::vectors);
    fill(mutable_words(Backdoor::accumulators(root)), tandem::accumulators * vector, seed,
         PatternSpace::accumulators);
    fill(mutable_words(Backdoor::vmem(root)), parameters_.vmem_words(), seed, PatternSpace::vmem);
    const bool one = Backdoor::active(root) != 0;
    auto* active = const_cast<std::uint16_t*>(
        halves(one ? Backdoor::weights1(root) : Backdoor::weights0(root)));
    auto* filling = const_cast<std::uint16_t*>(
        halves(one ? Backdoor::weights0(root) : Backdoor::weights1(root)));
    for (std::uint32_t i = 0; i < square; ++i) {
      active[i] = static_cast<std::uint16_t>(pattern(seed, PatternSpace::weights, i));
      filling[i] = static_cast<std::uint16_t>(pattern(seed, PatternSpace::weights, square + i));
    }
  }

  static void fill(std::uint32_t* words, std::uint32_t count, std::uint32_t seed,
                   PatternSpace space) {
    for (std::uint32_t i = 0; i < count; ++i) words[i] = pattern(seed, space, i);
  }

  // ---- retirement port
  // ---------------------------------------------------------------------------

  void sample(EventSink& sink) {
    if (top_->ret_copy_done_valid_o != 0) sink.copy_done({top_->ret_copy_done_seq_o});
    if (top_->ret_issue_valid_o != 0) sink.issue(issue_event());
    if (top_->ret_copy_valid_o != 0) sink.copy_issue(copy_event());
    sample_scalar(sink);
    sample_vector(sink);
    sample_memory(sink);
    sample_matrix(sink);
    sample_cross(sink);
    if (top_->ret_flag_valid_o != 0) {
      give(sink, Slot::dma, top_->ret_flag_seq_o, top_->ret_flag_space_o, top_->ret_flag_index_o,
           &top_->ret_flag_data_o);
    }
  }

  void give(EventSink& sink, Slot slot, std::uint32_t sequence, std::uint32_t space,
            std::uint32_t index, const std::uint32_t* data) {
    WriteEvent event;
    event.sequence = sequence;
    event.slot = slot;
    event.space = static_cast<Space>(space);
    event.index = index;
    event.data = data;
    sink.write(event);
  }

  // ---- timing: issues and copies' starts are shown a cycle late, the rest in its own ----

  void sample_timing(TimingProbe& timing) {
    const std::uint64_t now = cycles();
    if (top_->ret_issue_valid_o != 0) timing.issued(now - 1, issue_event());
    if (top_->ret_copy_valid_o != 0) timing.copy_started(now - 1, copy_event());
    if (top_->ret_copy_done_valid_o != 0) timing.copy_done(now, top_->ret_copy_done_seq_o);
    if (top_->running_o == 0) return timing.ended(now);
    timing.cause(now, cause());
    if (wires_.response_valid) {
      const bool copy = wires_.response_class == copy_read_class;
      timing.beat(now, copy ? MemoryPath::copy_read : MemoryPath::fetch);
    }
    if (top_->mem_wdata_valid_o != 0 && wires_.data_ready) timing.beat(now, MemoryPath::copy_write);
    timing.cycle_done(now);
  }

  IssueEvent issue_event() const {
    IssueEvent event;
    event.sequence = top_->ret_issue_seq_o;
    event.pc = top_->ret_issue_pc_o;
    event.next_pc = top_->ret_issue_next_pc_o;
    std::memcpy(event.bundle.data(), port_words(top_->ret_issue_bundle_o), sizeof(event.bundle));
    event.enabled = top_->ret_issue_enabled_o;
    event.halted = top_->ret_issue_halt_o != 0;
    event.trap.cause = static_cast<TrapCause>(top_->ret_issue_trap_o);
    if (event.trap) {
      event.trap.slot = static_cast<Slot>(top_->ret_issue_trap_slot_o);
      event.trap.detail = top_->ret_issue_trap_detail_o;
    }
    return event;
  }

  CopyIssueEvent copy_event() const {
    CopyIssueEvent event;
    event.sequence = top_->ret_copy_seq_o;
    std::memcpy(event.copy.descriptor.data(), port_words(top_->ret_copy_descriptor_o),
                sizeof(event.copy.descriptor));
    event.copy.source = top_->ret_copy_source_o;
    event.copy.destination = top_->ret_copy_destination_o;
    return event;
  }

  void sample_scalar(EventSink& sink) {
    if (top_->ret_sa_valid_o != 0) {
      give(sink, Slot::sa, top_->ret_sa_seq_o, top_->ret_sa_space_o, top_->ret_sa_index_o,
           &top_->ret_sa_data_o);
    }
    if (top_->ret_sb_valid_o == 0) return;
    WriteEvent event;
    event.sequence = top_->ret_sb_seq_o;
    event.slot = Slot::sb;
    event.space = static_cast<Space>(top_->ret_sb_space_o);
    event.index = top_->ret_sb_index_o;
    event.data = &top_->ret_sb_data_o;
    event.volatile_csr = top_->ret_csr_valid_o != 0;
    sink.write(event);
  }

  // A vector ALU result is a vector, a mask or a scalar; each has wires of its own.
  template <typename Data, typename Mask>
  void give_any(EventSink& sink, Slot slot, std::uint32_t sequence, std::uint32_t space,
                std::uint32_t index, const Data& data, const Mask& mask,
                const std::uint32_t& scalar) {
    const auto kind = static_cast<Space>(space);
    const std::uint32_t* words = kind == Space::vreg   ? port_words(data)
                                 : kind == Space::mreg ? port_words(mask)
                                                       : &scalar;
    give(sink, slot, sequence, space, index, words);
  }

  void sample_vector(EventSink& sink) {
    if (top_->ret_va_valid_o != 0) {
      give_any(sink, Slot::va, top_->ret_va_seq_o, top_->ret_va_space_o, top_->ret_va_index_o,
               top_->ret_va_data_o, top_->ret_va_mask_o, top_->ret_va_scalar_o);
    }
    if (top_->ret_vb_valid_o != 0) {
      give_any(sink, Slot::vb, top_->ret_vb_seq_o, top_->ret_vb_space_o, top_->ret_vb_index_o,
               top_->ret_vb_data_o, top_->ret_vb_mask_o, top_->ret_vb_scalar_o);
    }
  }

  void sample_memory(EventSink& sink) {
    if (top_->ret_ld_valid_o != 0) {
      give(sink, Slot::ld, top_->ret_ld_seq_o, static_cast<std::uint32_t>(Space::vreg),
           top_->ret_ld_index_o, port_words(top_->ret_ld_data_o));
    }
    if (top_->ret_st_valid_o == 0) return;
    for (std::uint32_t row = 0; row < sublanes; ++row) {
      if (((top_->ret_st_rows_o >> row) & 1U) != 0) sample_store_row(sink, row);
    }
  }

  void sample_store_row(EventSink& sink, std::uint32_t row) {
    const std::uint32_t lanes = parameters_.lanes;
    const std::uint32_t* mask = port_words(top_->ret_st_mask_o);
    WriteEvent event;
    event.sequence = top_->ret_st_seq_o;
    event.slot = Slot::st;
    event.space = Space::vmem;
    event.row = static_cast<std::uint8_t>(row);
    event.index = port_words(top_->ret_st_address_o)[row];
    event.data = port_words(top_->ret_st_data_o) + row * lanes;
    for (std::uint32_t first = 0; first < lanes; first += 32) {
      const std::uint32_t bit = row * lanes + first;
      const std::uint32_t used = lanes - first >= 32 ? ~0U : (1U << (lanes - first)) - 1;
      event.lanes[first / 32] = (mask[bit / 32] >> (bit % 32)) & used;
    }
    sink.write(event);
  }

  void sample_matrix(EventSink& sink) {
    if (top_->ret_mul_valid_o != 0) {
      WriteEvent event;
      event.sequence = top_->ret_mul_seq_o;
      event.slot = Slot::mx;
      event.space = Space::acc;
      event.row = static_cast<std::uint8_t>(top_->ret_mul_r_o);
      event.index = top_->ret_mul_acc_o * sublanes + top_->ret_mul_r_o;
      event.data = port_words(top_->ret_mul_data_o);
      sink.write(event);
    }
    if (top_->ret_read_valid_o != 0) {
      give(sink, Slot::mx, top_->ret_read_seq_o, static_cast<std::uint32_t>(Space::vreg),
           top_->ret_read_index_o, port_words(top_->ret_read_data_o));
    }
  }

  void sample_cross(EventSink& sink) {
    if (top_->ret_eup_valid_o != 0) {
      give(sink, Slot::xu, top_->ret_eup_seq_o, static_cast<std::uint32_t>(Space::vreg),
           top_->ret_eup_index_o, port_words(top_->ret_eup_data_o));
    }
    if (top_->ret_xlu_valid_o != 0) {
      give_any(sink, Slot::xu, top_->ret_xlu_seq_o, top_->ret_xlu_space_o, top_->ret_xlu_index_o,
               top_->ret_xlu_data_o, top_->ret_xlu_data_o, top_->ret_xlu_scalar_o);
    }
  }

  Parameters parameters_;
  MachineOptions options_;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
  std::unique_ptr<MemoryDevice> memory_;
  MemoryDevice::Wires wires_;  // of this cycle
  TimingSink* timing_sink_ = nullptr;
  std::optional<TimingProbe> timing_;
  std::uint64_t cycle_ = 0;
  std::uint64_t start_cycle_ = 0;
  std::uint64_t bundles_ = 0;
  int tail_ = 0;
};

}  // namespace tandem
