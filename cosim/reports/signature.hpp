// The signature of a failure: what two failures share when they are the same one. It has no numbers
// of bundles, cycles or registers, so that it stays the same while a program shrinks, and failures
// of one cause count as one.
//
//   mismatch write.data va vadd.f32       field, slot and operation concerned
//   mismatch issue.trap_cause address_range instead of none
//   mismatch timing.cause
//   no_retirement sync_wait               the stall cause in which nothing went on
//   race copy of bundle # ...             golden's finding, numbers left out
//   trapped deadlock dma                  for programs that are to halt
#pragma once

#include <string>

#include "cosim/reports/mismatch_report.hpp"

namespace tandem {

std::string mismatch_signature(const MismatchReport& report);

// Of a run that has ended, in lockstep or on its own; "" when it halted. `outcome` running: it did
// not end.
std::string failure_signature(const Runner& runner, Outcome outcome);

}  // namespace tandem
