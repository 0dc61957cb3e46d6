#include "cosim/foreign/check_text.hpp"

#include <fmt/format.h>

#include "runtime/models/result_text.hpp"

namespace tandem {
namespace {

std::string verdict_text(const CoreCheck& check) {
  const Runner& runner = check.runner();
  if (check.outcome() == Outcome::running) {
    return fmt::format("undecided: {}\n", check.terms().undecided);
  }
  RunResult result;
  result.outcome = check.outcome();
  result.seconds = check.seconds();
  return result_text(runner, result, check.image());
}

}  // namespace

std::string check_text(const CoreCheck& check) {
  std::string text = verdict_text(check);
  for (const std::string& what : not_compared(check.terms())) {
    text += fmt::format("not compared: {}\n", what);
  }
  return text;
}

}  // namespace tandem
