#include "cosim/reports/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "cosim/reports/readings.hpp"
#include "isa/encoding.hpp"
#include "isa/state/trap.hpp"
#include "isa/text/text.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

// Numbers, decimal or after 0x, become #.
std::string without_numbers(const std::string& text) {
  std::string result;
  const auto is_digit = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 0; at < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) {
      result += text[at++];
      continue;
    }
    const bool hex = text[at] == '0' && at + 1 < text.size() && text[at + 1] == 'x';
    if (hex) at += 2;
    while (at < text.size() &&
           (hex ? is_digit(text[at]) : std::isdigit(static_cast<unsigned char>(text[at])) != 0)) {
      ++at;
    }
    result += '#';
  }
  return result;
}

std::string_view first_cause(const std::vector<std::uint32_t>& words) {
  return words.empty() ? "?" : cause_name(words[0]).value_or("?");
}

std::string operation_name(const MismatchReport& report) {
  if (!report.record || !report.mismatch.slot) return {};
  const Slot slot = *report.mismatch.slot;
  const auto operation = decode(slot, slot_bits(report.record->bundle, slot));
  return operation ? fmt::format(" {}", instruction(operation->op).mnemonic) : "";
}

}  // namespace

std::string mismatch_signature(const MismatchReport& report) {
  const Mismatch& mismatch = report.mismatch;
  std::string text = fmt::format("mismatch {}", compare_field(mismatch.field).text);
  if (mismatch.field == CompareField::issue_trap_cause) {
    return text + fmt::format(" {} instead of {}", first_cause(mismatch.got),
                              first_cause(mismatch.expected));
  }
  if (mismatch.slot) text += fmt::format(" {}", slot_name(*mismatch.slot));
  return text + operation_name(report);
}

std::string failure_signature(const Runner& runner, Outcome outcome) {
  switch (outcome) {
    case Outcome::halted: return {};
    case Outcome::running: return "no end";
    case Outcome::trapped: {
      const Trap trap = runner.trap();
      return fmt::format("trapped {} {}", trap_name(trap.cause), slot_name(trap.slot));
    }
    case Outcome::race:
    case Outcome::uninitialised:
    case Outcome::lifetime:
      return fmt::format("{} {}", outcome_name(outcome),
                         without_numbers(runner.finding() ? runner.finding()->message : ""));
    case Outcome::mismatch:
    case Outcome::no_retirement: {
      const nlohmann::json json = parse_json(runner.explanation_json());
      return json.value("signature", std::string(outcome_name(outcome)));
    }
    case Outcome::deadlock:
    case Outcome::machine_check: return std::string(outcome_name(outcome));
  }
  __builtin_unreachable();
}

}  // namespace tandem
