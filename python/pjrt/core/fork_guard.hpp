// A forked child has none of its parent's threads, and locks in an unknown state. There the plugin
// refuses work and leaks memory instead of freeing it: both keep a child that never meant to use it
// alive to its exit.
#pragma once

namespace tandem::pjrt {

// From now on children are recognized; called once, before the first thread is started.
void watch_forks();
[[nodiscard]] bool is_forked_child();
// Throws Failure in a forked child.
void refuse_in_forked_child();

}  // namespace tandem::pjrt
