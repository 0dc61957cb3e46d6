// The signature of a failure: equal for two failures that are the same one. It has no numbers of
// bundles, cycles or registers, so that it stays the same while a program shrinks, and failures of
// one cause count as one.
//
//   mismatch write.data va vadd.f32       field, slot and operation concerned
//   mismatch issue.trap_cause address_range instead of none
//   mismatch timing.cause
//   no_retirement sync_wait               the stall cause in which it hung
//   race copy of bundle # ...             golden's finding, without numbers
//   trapped deadlock dma                  for programs that are to halt
#pragma once

#include <string>

#include "cosim/reports/mismatch_report.hpp"

namespace tandem {

std::string mismatch_signature(const MismatchReport& report);

// For a run that has ended, in lockstep or on its own; "" when it halted. With `outcome` running it
// did not end.
std::string failure_signature(const Runner& runner, Outcome outcome);

}  // namespace tandem
