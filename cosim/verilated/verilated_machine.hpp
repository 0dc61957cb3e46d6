// The RTL behind the Machine interface: a template over the Verilated class, instantiated once per
// preset by rtl_machine.cpp.in, and once more by rtl_machine_waves.cpp.in if it can write waves.
//
// The outputs are sampled between the halves of a cycle; the retirement port is registered, so it
// is stable then.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/verilated/timing_probe.hpp"
#include "cosim/verilated/verilated_top.hpp"
#include "cosim/verilated/wave.hpp"
#include "isa/archive/messages.hpp"
#include "runtime/models/machine.hpp"
#include "sim/events/timing_fan_out.hpp"

namespace tandem {

template <typename Top>
class VerilatedMachine final : public Machine {
 public:
  VerilatedMachine(const Parameters& parameters, const MachineOptions& options)
      : parameters_(parameters),
        options_(options),
        rtl_(parameters, options.reset_seed),
        ports_(rtl_.top().rootp) {
    rtl_.connect(std::make_unique<MemoryDevice>(parameters, options.memory, 0));
    if (!options.wave.path.empty()) wave_.emplace(rtl_.top(), options.wave);
  }

  std::string_view name() const override { return "rtl"; }
  const Parameters& parameters() const override { return parameters_; }
  std::uint64_t cycles() const override { return rtl_.cycle() - start_cycle_; }
  std::uint64_t bundles() const override { return bundles_; }
  std::uint64_t memory_beats() const override { return rtl_.memory().beats(); }
  StallCause cause() const override {
    return static_cast<StallCause>(std::min<std::uint32_t>(
        ports_->ret_cause_o, static_cast<std::uint32_t>(stall_causes().size()) - 1));
  }
  const SparseMemory& hbm() const override { return rtl_.memory().contents(); }

  void set_timing(TimingSink* sink) override { timing_sink_ = sink; }

  SparseMemory& host_memory() override { return rtl_.memory().contents(); }

  void set_memory(const MemoryTimingParameters& memory) override { options_.memory = memory; }
  void set_reset_seed(std::uint32_t seed) override { options_.reset_seed = seed; }

  void power_up(std::uint64_t hbm_bytes, std::uint32_t seed) override {
    rtl_.redraw(options_.reset_seed);
    rtl_.connect(std::make_unique<MemoryDevice>(parameters_, options_.memory, hbm_bytes));
    rtl_.reset();
    rtl_.fill_patterns(seed);
  }

  void start(const Launch& launch) override {
    load(host_memory(), launch);
    rtl_.memory().restart(options_.memory);
    rtl_.write_pair("text_lo", launch.text_address);
    rtl_.write_host(register_number("text_bundles"),
                    static_cast<std::uint32_t>(launch.image->text.size()));
    rtl_.write_pair("hbm_lo", launch.hbm_bytes);
    for (const DescriptorWords& words : launch.start_copies) {
      for (const std::uint32_t word : words) rtl_.write_host(register_number("start_copy"), word);
    }
    rtl_.write_host(register_number("entry_pc"), launch.image->entry_pc);
    rtl_.write_pair("arg_lo", launch.argument_pointer);
    rtl_.write_host(register_number("arg_words"), launch.argument_words);
    rtl_.name_chip(launch.chip, launch.chips);
    links_ = nullptr;
    chip_ = launch.chip;
    rtl_.write_host(register_number("control"), 1);
    start_cycle_ = rtl_.cycle();
    if (wave_) wave_->edge(0);
    tail_ = 0;
    bundles_ = 0;
    timing_.reset();
    if (timing_sink_ != nullptr) timing_.emplace(*timing_sink_, *this);
  }

  bool tie(GroupLinks& links) override {
    links_ = &links;
    rtl_.tie(links.wires.ports(chip_));
    return true;
  }
  bool program_runs() const override { return ports_->running_o != 0; }
  bool still() const override {
    const bool waits = ports_->running_o == 0 || cause() == StallCause::sync_wait;
    return waits && ports_->copies_idle_o != 0;
  }

  bool cycle(EventSink* sink) override {
    if (timing_ || sink != nullptr) read_issue();
    rtl_.half_cycle();
    if (wave_) wave_->middle(cycles());
    bundles_ += ports_->ret_issue_valid_o;
    if (timing_) sample_timing(*timing_);
    if (sink != nullptr) sample(*sink);
    rtl_.rise();
    if (wave_) wave_->edge(cycles());
    // The retirement port is one cycle late; running_o may fall before the last events.
    if (ports_->running_o == 0 && (links_ == nullptr || links_->over)) ++tail_;
    return tail_ < drained_cycles;
  }

  [[nodiscard]] const std::uint32_t* vmem() const override {
    return port_words(VerilatedState::vmem(*ports_));
  }

  [[nodiscard]] const std::uint32_t* smem(std::uint32_t first, std::uint32_t count) const override {
    read_smem(first, count);
    return smem_.data() + first;
  }

  MachineState state() const override {
    const auto& root = *ports_;
    MachineState state;
    state.scalars = port_words(ports_->ret_sregs_o);
    state.flags = port_words(ports_->ret_flags_o);
    state.predicates = static_cast<std::uint8_t>(ports_->ret_pregs_o);
    state.masks = port_words(ports_->ret_mregs_o);
    state.vectors = port_words(VerilatedState::vectors(root));
    state.accumulators = port_words(VerilatedState::accumulators(root));
    state.weights_active = port_halves(VerilatedState::active_weights(root));
    state.weights_filling = port_halves(VerilatedState::filling_weights(root));
    state.vmem = port_words(VerilatedState::vmem(root));
    read_smem(0, parameters_.smem_words());
    state.smem = smem_.data();
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

  std::uint32_t read_register(std::uint32_t number) override { return rtl_.read_host(number); }

  std::string_view sources() const override { return verilated_sources(*ports_); }

  void save_to(ArchiveWriter& archive) override {
    archive(std::string(sources()));
    rtl_.save_to(archive);
    archive(start_cycle_, bundles_, tail_, timing_.has_value());
    if (timing_) archive(*timing_);
  }
  void save_registers(ArchiveWriter& archive) override {
    save_members(archive, registers_of(verilated_members(*ports_)));
  }
  // There may be a reader of timing events now and none when it was saved, or vice versa.
  void restore_from(ArchiveReader& archive) override {
    std::string saved;
    archive(saved);
    if (saved != sources()) {
      throw SnapshotError(fmt::format(archiving::message::foreign, "RTL", saved, sources()));
    }
    rtl_.restore_from(archive);
    bool timed = false;
    archive(start_cycle_, bundles_, tail_, timed);
    timing_.reset();
    if (timing_sink_ != nullptr) timing_.emplace(*timing_sink_, *this);
    if (timing_) timing_->resume(bundles_);
    if (!timed) return;
    TimingFanOut nobody;
    TimingProbe passed_over(nobody, *this);
    archive(timing_ ? *timing_ : passed_over);
  }

 private:
  static constexpr int drained_cycles = 8;
  static constexpr std::uint32_t copy_read_class = 1;  // of mem_rd_class_o

  static std::uint32_t register_number(std::string_view name) {
    return find_register(name)->number;
  }

  // Words of SMEM as programs see it: rows not written since the start read zero.
  void read_smem(std::uint32_t first, std::uint32_t count) const {
    const auto& root = *ports_;
    const std::uint32_t* words = port_words(VerilatedState::smem(root));
    const std::uint32_t* written = port_words(VerilatedState::smem_written(root));
    const std::uint32_t lanes = parameters_.lanes;
    smem_.resize(parameters_.smem_words());
    for (std::uint32_t row = first / lanes; row * lanes < first + count; ++row) {
      const std::uint32_t* from = words + row * lanes;
      std::uint32_t* to = smem_.data() + row * lanes;
      const bool is_written = (written[row / 32] >> (row % 32) & 1U) != 0;
      if (is_written) {
        std::copy_n(from, lanes, to);
      } else {
        std::fill_n(to, lanes, 0U);
      }
    }
  }

  // ---- retirement port
  // ---------------------------------------------------------------------------

  void sample(EventSink& sink) {
    if (ports_->ret_copy_done_valid_o != 0) sink.copy_done({ports_->ret_copy_done_seq_o});
    if (ports_->ret_issue_valid_o != 0) sink.issue(issue_);
    if (ports_->ret_copy_valid_o != 0) sink.copy_issue(copy_event());
    sample_scalar(sink);
    sample_vector(sink);
    sample_memory(sink);
    sample_matrix(sink);
    sample_cross(sink);
    if (ports_->ret_flag_valid_o != 0) {
      give(sink, Slot::dma, ports_->ret_flag_seq_o, ports_->ret_flag_space_o,
           ports_->ret_flag_index_o, &ports_->ret_flag_data_o);
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
    if (ports_->ret_issue_valid_o != 0) timing.issued(now - 1, issue_);
    if (ports_->ret_copy_valid_o != 0) timing.copy_started(now - 1, copy_event());
    if (ports_->ret_copy_done_valid_o != 0) timing.copy_done(now, ports_->ret_copy_done_seq_o);
    if (ports_->running_o == 0) return timing.ended(now);
    timing.cause(now, cause());
    if (rtl_.wires().response_valid) {
      const bool copy = rtl_.wires().response_class == copy_read_class;
      timing.beat(now, copy ? MemoryPath::copy_read : MemoryPath::fetch);
    }
    if (ports_->mem_wdata_valid_o != 0 && rtl_.wires().data_ready)
      timing.beat(now, MemoryPath::copy_write);
    timing.cycle_done(now);
  }

  // Into issue_, at the beginning of the cycle: its readers copy it in wider words than those
  // written here, and would stall on store forwarding if they came immediately.
  void read_issue() {
    if (ports_->ret_issue_valid_o == 0) return;
    IssueEvent& event = issue_;
    event.sequence = ports_->ret_issue_seq_o;
    event.pc = ports_->ret_issue_pc_o;
    event.next_pc = ports_->ret_issue_next_pc_o;
    std::memcpy(event.bundle.data(), port_words(ports_->ret_issue_bundle_o), sizeof(event.bundle));
    event.enabled = ports_->ret_issue_enabled_o;
    event.halted = ports_->ret_issue_halt_o != 0;
    event.trap = {};
    const auto cause = static_cast<TrapCause>(ports_->ret_issue_trap_o);
    if (cause != TrapCause::none) {
      event.trap = {cause, static_cast<Slot>(ports_->ret_issue_trap_slot_o),
                    ports_->ret_issue_trap_detail_o};
    }
  }

  CopyIssueEvent copy_event() const {
    CopyIssueEvent event;
    event.sequence = ports_->ret_copy_seq_o;
    std::memcpy(event.copy.descriptor.data(), port_words(ports_->ret_copy_descriptor_o),
                sizeof(event.copy.descriptor));
    event.copy.source = ports_->ret_copy_source_o;
    event.copy.destination = ports_->ret_copy_destination_o;
    return event;
  }

  void sample_scalar(EventSink& sink) {
    if (ports_->ret_sa_valid_o != 0) {
      give(sink, Slot::sa, ports_->ret_sa_seq_o, ports_->ret_sa_space_o, ports_->ret_sa_index_o,
           &ports_->ret_sa_data_o);
    }
    if (ports_->ret_sb_valid_o == 0) return;
    WriteEvent event;
    event.sequence = ports_->ret_sb_seq_o;
    event.slot = Slot::sb;
    event.space = static_cast<Space>(ports_->ret_sb_space_o);
    event.index = ports_->ret_sb_index_o;
    event.data = &ports_->ret_sb_data_o;
    event.volatile_csr = ports_->ret_csr_valid_o != 0;
    sink.write(event);
  }

  // A vector ALU result is a vector, a mask or a scalar; each has its own wires.
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
    if (ports_->ret_va_valid_o != 0) {
      give_any(sink, Slot::va, ports_->ret_va_seq_o, ports_->ret_va_space_o, ports_->ret_va_index_o,
               ports_->ret_va_data_o, ports_->ret_va_mask_o, ports_->ret_va_scalar_o);
    }
    if (ports_->ret_vb_valid_o != 0) {
      give_any(sink, Slot::vb, ports_->ret_vb_seq_o, ports_->ret_vb_space_o, ports_->ret_vb_index_o,
               ports_->ret_vb_data_o, ports_->ret_vb_mask_o, ports_->ret_vb_scalar_o);
    }
  }

  void sample_memory(EventSink& sink) {
    if (ports_->ret_ld_valid_o != 0) {
      give(sink, Slot::ld, ports_->ret_ld_seq_o, static_cast<std::uint32_t>(Space::vreg),
           ports_->ret_ld_index_o, port_words(ports_->ret_ld_data_o));
    }
    if (ports_->ret_st_valid_o == 0) return;
    for (std::uint32_t row = 0; row < sublanes; ++row) {
      if (((ports_->ret_st_rows_o >> row) & 1U) != 0) sample_store_row(sink, row);
    }
  }

  void sample_store_row(EventSink& sink, std::uint32_t row) {
    const std::uint32_t lanes = parameters_.lanes;
    const std::uint32_t* mask = port_words(ports_->ret_st_mask_o);
    WriteEvent event;
    event.sequence = ports_->ret_st_seq_o;
    event.slot = Slot::st;
    event.space = Space::vmem;
    event.row = static_cast<std::uint8_t>(row);
    event.index = port_words(ports_->ret_st_address_o)[row];
    event.data = port_words(ports_->ret_st_data_o) + row * lanes;
    for (std::uint32_t first = 0; first < lanes; first += 32) {
      const std::uint32_t bit = row * lanes + first;
      const std::uint32_t used = lanes - first >= 32 ? ~0U : (1U << (lanes - first)) - 1;
      event.lanes[first / 32] = (mask[bit / 32] >> (bit % 32)) & used;
    }
    sink.write(event);
  }

  void sample_matrix(EventSink& sink) {
    if (ports_->ret_mul_valid_o != 0) {
      WriteEvent event;
      event.sequence = ports_->ret_mul_seq_o;
      event.slot = Slot::mx;
      event.space = Space::acc;
      event.row = static_cast<std::uint8_t>(ports_->ret_mul_r_o);
      event.index = ports_->ret_mul_acc_o * sublanes + ports_->ret_mul_r_o;
      event.data = port_words(ports_->ret_mul_data_o);
      sink.write(event);
    }
    if (ports_->ret_read_valid_o != 0) {
      give(sink, Slot::mx, ports_->ret_read_seq_o, static_cast<std::uint32_t>(Space::vreg),
           ports_->ret_read_index_o, port_words(ports_->ret_read_data_o));
    }
  }

  void sample_cross(EventSink& sink) {
    if (ports_->ret_eup_valid_o != 0) {
      give(sink, Slot::xu, ports_->ret_eup_seq_o, static_cast<std::uint32_t>(Space::vreg),
           ports_->ret_eup_index_o, port_words(ports_->ret_eup_data_o));
    }
    if (ports_->ret_xlu_valid_o != 0) {
      give_any(sink, Slot::xu, ports_->ret_xlu_seq_o, ports_->ret_xlu_space_o,
               ports_->ret_xlu_index_o, ports_->ret_xlu_data_o, ports_->ret_xlu_data_o,
               ports_->ret_xlu_scalar_o);
    }
  }

  Parameters parameters_;
  MachineOptions options_;
  VerilatedTop<Top> rtl_;
  RootOf<Top>* ports_;           // of rtl_
  GroupLinks* links_ = nullptr;  // in a group
  std::uint32_t chip_ = 0;
  std::optional<Wave<Top>> wave_;
  TimingSink* timing_sink_ = nullptr;
  std::optional<TimingProbe> timing_;
  std::uint64_t start_cycle_ = 0;
  std::uint64_t bundles_ = 0;
  IssueEvent issue_;  // of this cycle, if one is valid
  int tail_ = 0;
  mutable std::vector<std::uint32_t> smem_;  // as last requested
};

}  // namespace tandem
