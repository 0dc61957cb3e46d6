// How a group ended.
#pragma once

#include <memory>
#include <vector>

#include "runtime/group/group.hpp"
#include "runtime/group/group_driver.hpp"
#include "runtime/models/result_text.hpp"

namespace tandem::runtime {

// `run` is the group's. The report tells of each chip that did not end by itself where it stands:
// of one that waits the flag, what that holds, what is wanted, and which chips have added to it.
GroupResult group_result(const GroupDriver& group, const std::vector<std::unique_ptr<Run>>& runs,
                         const RunResult& run);

}  // namespace tandem::runtime
