#include "cosim/verilated/wave_view.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tandem {
namespace {

using Format = WaveSignal::Format;

// Flags of a trace line in a .gtkw file.
int flags(Format format) {
  switch (format) {
    case Format::binary: return 0x28;
    case Format::hex: return 0x22;
    case Format::decimal: return 0x24;
  }
  __builtin_unreachable();
}
constexpr int comment_flags = 0x200;

// Of the picture: 200 pixels are 2 to this power in ticks, so a cycle is about 40 pixels wide.
constexpr double zoom = 12.3;

WaveSignal bit(const char* name) { return {fmt::format("TOP.tpu_core.{}", name), Format::binary}; }
WaveSignal bus(const char* name, int bits, Format format) {
  return {fmt::format("TOP.tpu_core.{}[{}:0]", name, bits - 1), format};
}

// The result of a slot: its bundle, its destination, and a scalar's value.
WaveGroup scalar_results() {
  WaveGroup group{"scalar results", {}};
  for (const char* slot : {"sa", "sb"}) {
    const auto name = [slot](const char* what) { return fmt::format("ret_{}_{}_o", slot, what); };
    group.signals.push_back(bit(name("valid").c_str()));
    group.signals.push_back(bus(name("seq").c_str(), 32, Format::decimal));
    group.signals.push_back(bus(name("space").c_str(), 4, Format::decimal));
    group.signals.push_back(bus(name("index").c_str(), 32, Format::decimal));
    group.signals.push_back(bus(name("data").c_str(), 32, Format::hex));
  }
  return group;
}
WaveGroup vector_results() {
  WaveGroup group{"vector results", {}};
  for (const char* unit : {"va", "vb", "ld", "read", "eup", "xlu"}) {
    const auto name = [unit](const char* what) { return fmt::format("ret_{}_{}_o", unit, what); };
    group.signals.push_back(bit(name("valid").c_str()));
    group.signals.push_back(bus(name("seq").c_str(), 32, Format::decimal));
    group.signals.push_back(bus(name("index").c_str(), 6, Format::decimal));
  }
  return group;
}
// One wire per cause: why the bundle at issue does not issue.
WaveGroup stalls() {
  WaveGroup group{"why issue waits", {bit("issue.go"), bit("issue.trap_here")}};
  for (const char* cause : {"idling", "scalar_result", "vector_result", "vmem_bank", "eup", "xlu",
                            "mxu_push", "mxu_multiply", "mxu_result", "copy_queue", "sync_wait"}) {
    group.signals.push_back(bit(fmt::format("issue.stall_{}", cause).c_str()));
  }
  return group;
}

}  // namespace

std::vector<WaveGroup> wave_groups() {
  return {
      {"clock", {bit("clk_i"), bit("rst_ni"), bit("running_o")}},
      {"issue (a cycle late)",
       {bit("ret_issue_valid_o"), bus("ret_issue_seq_o", 32, Format::decimal),
        bus("ret_issue_pc_o", 32, Format::decimal), bus("ret_issue_next_pc_o", 32, Format::decimal),
        bus("ret_issue_enabled_o", 9, Format::binary),
        bus("ret_issue_trap_o", 8, Format::decimal)}},
      {"cause of this cycle", {bus("ret_cause_o", 4, Format::decimal)}},
      stalls(),
      scalar_results(),
      vector_results(),
      {"stores and multiplies",
       {bit("ret_st_valid_o"), bus("ret_st_seq_o", 32, Format::decimal),
        bus("ret_st_rows_o", 8, Format::binary), bit("ret_mul_valid_o"),
        bus("ret_mul_seq_o", 32, Format::decimal), bus("ret_mul_acc_o", 6, Format::decimal),
        bus("ret_mul_r_o", 3, Format::decimal)}},
      {"copies",
       {bit("ret_copy_valid_o"), bus("ret_copy_seq_o", 32, Format::decimal),
        bit("ret_copy_done_valid_o"), bus("ret_copy_done_seq_o", 32, Format::decimal),
        bit("ret_flag_valid_o"), bus("ret_flag_index_o", 8, Format::decimal)}},
      {"memory, read",
       {bit("mem_rd_valid_o"), bit("mem_rd_ready_i"), bus("mem_rd_addr_o", 64, Format::hex),
        bus("mem_rd_beats_o", 8, Format::decimal), bus("mem_rd_class_o", 2, Format::decimal),
        bit("mem_rsp_valid_i")}},
      {"memory, write",
       {bit("mem_wr_valid_o"), bit("mem_wr_ready_i"), bus("mem_wr_addr_o", 64, Format::hex),
        bus("mem_wr_beats_o", 8, Format::decimal), bit("mem_wdata_valid_o"),
        bit("mem_wdata_ready_i"), bit("mem_wrsp_valid_i")}},
  };
}

std::string wave_view_path(const std::string& wave_path) {
  return std::filesystem::path(wave_path).replace_extension(".gtkw").string();
}

// GTKWave looks for the dump file relative to its own folder, so the name alone is written.
std::string wave_view(const std::string& wave_path, std::uint64_t first_cycle,
                      std::uint64_t marked_cycle) {
  std::string text = "[*] Cycle n begins at n ns; open with: gtkwave FILE.fst FILE.gtkw\n";
  text += fmt::format("[dumpfile] \"{}\"\n", std::filesystem::path(wave_path).filename().string());
  const std::uint64_t start = first_cycle * wave_ticks;
  text += fmt::format("[timestart] {}\n[size] 1400 900\n[pos] -1 -1\n*{} {}\n", start, -zoom,
                      marked_cycle * wave_ticks);
  text += "[treeopen] TOP.\n[treeopen] TOP.tpu_core.\n[signals_width] 260\n";
  for (const WaveGroup& group : wave_groups()) {
    text += fmt::format("@{:x}\n-{}\n", comment_flags, group.title);
    for (const WaveSignal& signal : group.signals) {
      text += fmt::format("@{:x}\n{}\n", flags(signal.format), signal.name);
    }
  }
  return text;
}

}  // namespace tandem
