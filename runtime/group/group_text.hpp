// How a group ended.
#pragma once

#include <memory>
#include <vector>

#include "runtime/group/group.hpp"
#include "runtime/group/group_driver.hpp"
#include "runtime/models/result_text.hpp"

namespace tandem::runtime {

// `run` is the group's. The report gives the position of each chip that did not end by itself; for
// one that waits, also the flag, its value, the awaited value, and the chips that have added to it.
GroupResult group_result(const GroupDriver& group, const std::vector<std::unique_ptr<Run>>& runs,
                         const RunResult& run);

}  // namespace tandem::runtime
