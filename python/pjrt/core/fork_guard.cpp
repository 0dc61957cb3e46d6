#include "python/pjrt/core/fork_guard.hpp"

#include <pthread.h>

#include <atomic>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

std::atomic<bool> forked_child{false};

}  // namespace

void watch_forks() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { forked_child.store(true, std::memory_order_relaxed); });
  if (registered != 0) fail(PJRT_Error_Code_INTERNAL, "internal: pthread_atfork failed");
}

bool is_forked_child() { return forked_child.load(std::memory_order_relaxed); }

void refuse_in_forked_child() {
  if (!is_forked_child()) return;
  fail(PJRT_Error_Code_FAILED_PRECONDITION,
       "this process was forked after Tandem's devices were started, so they do not exist in it; "
       "start processes with multiprocessing.set_start_method('spawn')");
}

}  // namespace tandem::pjrt
