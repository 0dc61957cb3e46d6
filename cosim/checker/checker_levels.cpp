// Cores that do not report every bundle: golden runs on by itself, to the issued copy or to the
// end. It cannot if a value depends on time, which only the core knows.
#include <fmt/format.h>

#include "cosim/checker/checker.hpp"

namespace tandem {

// False when golden has ended, or cannot continue.
bool Checker::step_alone() {
  if (golden_.status() != RunStatus::running || !terms_.undecided.empty()) return false;
  const std::uint32_t pc = golden_.pc();
  if (golden_.next_volatile_csr()) {
    terms_.undecided = fmt::format(
        "bundle {} (PC {}) reads a register that depends on time, whose value comes with the "
        "events of level all only",
        bundles_, pc);
  } else if (bundles_ >= terms_.limit) {
    terms_.undecided = fmt::format("the program has not ended after {} bundles", bundles_);
  }
  if (!terms_.undecided.empty()) return false;
  next_is_volatile_ = false;
  const bool is_text = image_ != nullptr && pc < image_->text.size();
  step_golden(is_text ? image_->text[pc] : Bundle{});
  history_.find(static_cast<std::uint32_t>(bundles_ - 1))->unseen_writes = 0;
  return !golden_reported_;
}

// Golden executes up to the next bundle that issues a copy. If there is none, the core has issued a
// copy too many, which is reported in the last bundle.
void Checker::run_to_copy() {
  while (step_alone()) {
    if (history_.find(static_cast<std::uint32_t>(bundles_ - 1))->unseen_copy) return;
  }
}

// A copy before that which the core did not issue is missing.
void Checker::run_to_end() {
  while (step_alone()) {
    Expectation& entry = *history_.find(static_cast<std::uint32_t>(bundles_ - 1));
    if (terms_.level == CheckLevel::copies && entry.unseen_copy) return report_incomplete(entry);
    entry.unseen_copy = false;
  }
}

}  // namespace tandem
