// The timing in the manual; the numbers are those of isa/timing.def.
#include <fmt/format.h>

#include "isa/emit/manual_text.hpp"
#include "isa/timing.hpp"

namespace tandem::emit {
namespace {

constexpr std::string_view at_once = "the next bundle can use the result";
constexpr std::string_view taken = "a taken branch costs one cycle, the look-up of its target";

std::string usable_after(std::uint32_t lands) {
  return fmt::format("a bundle that needs the result can issue {} cycles after this one",
                     lands + 1);
}

std::string row_unit_latency() {
  return fmt::format("{}; the unit is busy for {} cycles", usable_after(timing::row_unit_result),
                     timing::row_unit);
}

std::string control_latency(Op op) {
  if (op == Op::call) return fmt::format("{}; {}", at_once, taken);
  if (op == Op::br || op == Op::jump || op == Op::ret) return std::string(taken);
  if (op == Op::idle) return "the next bundle can issue b + 1 cycles after this one";
  if (op == Op::fadd || op == Op::fset) return "the next bundle sees the flag changed";
  if (op == Op::marker) return "none";
  return "the run ends when everything in flight is complete";  // halt and trap
}

std::string latency_row(std::string_view what, std::uint32_t result, std::string_view unit) {
  return fmt::format("| {} | {} | {} |\n", what, result, unit);
}

std::string every(std::uint32_t cycles) { return fmt::format("every {} cycles", cycles); }

}  // namespace

std::string latency_text(const Instruction& row) {
  switch (row.latency) {
    case Latency::scalar:
      return std::string(row.op == Op::sst || row.op == Op::ssti ? "the next bundle can load it"
                                                                 : at_once);
    case Latency::scalar_load: return usable_after(timing::scalar_load);
    case Latency::control: return control_latency(row.op);
    case Latency::valu: return usable_after(timing::valu);
    case Latency::load:
      return usable_after(timing::load) +
             ", later by one for every further row in its fullest bank";
    case Latency::store: return "one cycle for every row in its fullest bank; later loads see it";
    case Latency::push: return fmt::format("the push port is busy for {} cycles", timing::push);
    case Latency::multiply:
      return fmt::format(
          "the left port is busy for `rows` cycles; an mxread of the accumulator can issue "
          "L + rows + {} cycles after this one",
          timing::multiply_row - 1);
    case Latency::acc_read: return usable_after(timing::acc_read);
    case Latency::eup:
    case Latency::xlu: return row_unit_latency();
    case Latency::copy:
      return fmt::format(
          "holds its bundle for {} cycles, longer when the queue of copies is full; then runs "
          "beside the program",
          timing::descriptor_check);
    case Latency::wait: return "as long as it takes";
  }
  return {};
}

std::string latency_chapter() {
  const std::string banks = "every cycle; one more for each further row in its fullest bank";
  return "## Latencies\n\n"
         "A bundle waits by itself until what it reads and writes is there; these numbers matter "
         "for speed\n"
         "only. A bundle that issues in cycle t gives its results so that a bundle that needs "
         "them can issue\n"
         "in cycle t + n.\n\n"
         "| operation | n | another one can issue |\n|---|---|---|\n" +
         latency_row("scalar ALU, `csr`, `call`, `sst`, `ssti`, `fadd`, `fset`", 1, "every cycle") +
         latency_row("`sld`", timing::scalar_load + 1, "every cycle") +
         latency_row("vector ALU (`vmul.f32` and all others), masks and scalars from it too",
                     timing::valu + 1, "every cycle") +
         latency_row("`vld`, `vldc`, `vldx`", timing::load + 1, banks) +
         latency_row("transcendental unit", timing::row_unit_result + 1, every(timing::row_unit)) +
         latency_row("cross-lane unit, `extract` too", timing::row_unit_result + 1,
                     every(timing::row_unit)) +
         fmt::format("| `vst` | later loads see it | {} |\n", banks) +
         fmt::format("| `mxpush`, `mxpusht` | a later multiply waits by itself | {} |\n",
                     every(timing::push)) +
         fmt::format(
             "| `mxmul` | L + rows + {}, for an `mxread` of its accumulator | `rows` cycles "
             "later |\n",
             timing::multiply_row - 1) +
         latency_row("`mxread`", timing::acc_read + 1, "every cycle") +
         fmt::format(
             "| `copy` | at its `wait` | {} cycles later, unless the queue of {} is full |\n",
             timing::descriptor_check + 1, timing::copy_queue) +
         "\nA taken branch costs one cycle more. What to do about waiting is told in\n"
         "[performance.md](performance.md).\n\n";
}

}  // namespace tandem::emit
