#include "support.hpp"

#include <catch2/catch.hpp>

#include "assembled.hpp"
#include "cosim/verilated/rtl_core.hpp"

// Debian's library has a main() that wants it; Catch2's is the one that runs.
int sc_main(int, char**) { return 0; }

namespace tandem::test {

TpuConfig machine(const std::string& inside, TpuTiming timing) {
  TpuConfig config;
  config.core = inside == "rtl" ? make_rtl_core : make_cycle_core;
  config.options.preset = "nano";
  config.period = sc_core::sc_time(1300, sc_core::SC_PS);  // divides no quantum
  config.timing = timing;
  return config;
}

bool needs_rtl() {
  if (TANDEM_HAS_NANO != 0) return true;
  WARN("SKIPPED: this build has no RTL of preset nano (TANDEM_PRESETS)");
  return false;
}

std::vector<std::string> insides() {
  if (TANDEM_HAS_NANO != 0) return {"rtl", "cycle"};
  WARN("the cycle-exact model alone: this build has no RTL of preset nano (TANDEM_PRESETS)");
  return {"cycle"};
}

std::vector<TpuConfig> all_machines() {
  std::vector<TpuConfig> all;
  for (const std::string& inside : insides()) {
    for (const TpuTiming timing : {TpuTiming::loosely_timed, TpuTiming::cycle_exact}) {
      all.push_back(machine(inside, timing));
    }
  }
  return all;
}

Program program(const std::string& text) { return example::parse_program(assembled(text, "nano")); }

namespace {

std::string copy(const std::string& spaces, std::uint64_t from, std::uint64_t to, unsigned bytes,
                 unsigned count) {
  const auto store = [](unsigned word, std::uint64_t value) {
    return "s31 = mov " + std::to_string(static_cast<std::uint32_t>(value)) + "\nsst [" +
           std::to_string(word) + "], s31\n";
  };
  std::string code =
      "        .set flag_spaces, " + spaces + "\ns31 = mov flag_spaces\nsst [0], s31\n";
  code += store(1, 1) + store(2, from) + store(3, from >> 32U) + store(4, to) + store(5, to >> 32U);
  code += store(6, bytes);
  for (const unsigned word : {7U, 10U, 13U}) code += store(word, 1);
  return code + "copy [0], s0, s0\nwait f0, " + std::to_string(count) + "\n";
}

}  // namespace

// Bits 9:8 of word 0 are the space of the source, 11:10 that of the destination; HBM 0, SMEM 2.
std::string copy_in(std::uint64_t source, unsigned word, unsigned bytes, unsigned count) {
  return copy("2 << 10", source, std::uint64_t{word} * 4, bytes, count);
}

std::string copy_out(unsigned word, std::uint64_t target, unsigned bytes, unsigned count) {
  return copy("2 << 8", std::uint64_t{word} * 4, target, bytes, count);
}

void simulate(const TpuConfig& config, const Platform::Job& job) { simulate(config, 1000, job); }

void simulate(const TpuConfig& config, unsigned quantum, const Platform::Job& job) {
  // SystemC elaborates once a context.
  sc_core::sc_curr_simcontext = new sc_core::sc_simcontext();
  sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
  tlm::tlm_global_quantum::instance().set(quantum * config.period);
  Platform platform("platform", config, job);
  sc_core::sc_start();
}

}  // namespace tandem::test
