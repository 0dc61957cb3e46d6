#include "python/pjrt/core/interrupts.hpp"

#include <array>
#include <csignal>
#include <mutex>

namespace tandem::pjrt {
namespace {

std::array<std::atomic<InterruptState*>, 256> states;    // read by the handler
std::atomic<const struct sigaction*> previous{nullptr};  // what it hands on to

void on_interrupt(int signal, siginfo_t* info, void* context) {
  // The next handler may call its predecessor, which is this one again.
  static thread_local bool inside = false;
  if (inside) return;
  inside = true;
  for (auto& slot : states) {
    InterruptState* const state = slot.load();
    if (state == nullptr) continue;
    state->count.fetch_add(1);
    state->raised.store(true);
  }
  const struct sigaction& next = *previous.load();
  if ((next.sa_flags & SA_SIGINFO) != 0) {
    next.sa_sigaction(signal, info, context);
  } else {
    next.sa_handler(signal);
  }
  inside = false;
}

void exchange_slot(InterruptState* from, InterruptState* to) {
  for (auto& slot : states) {
    InterruptState* expected = from;
    if (slot.compare_exchange_strong(expected, to)) return;
  }
}

}  // namespace

void handle_interrupts() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  struct sigaction now {};
  if (sigaction(SIGINT, nullptr, &now) != 0) return;
  const bool with_details = (now.sa_flags & SA_SIGINFO) != 0;
  if (with_details && now.sa_sigaction == on_interrupt) return;
  if (!with_details && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)) return;
  previous.store(new struct sigaction(now));  // never freed: a handler may be running
  struct sigaction ours = now;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = on_interrupt;
  sigaction(SIGINT, &ours, nullptr);
}

void add_interrupt(InterruptState& state) { exchange_slot(nullptr, &state); }

void remove_interrupt(InterruptState& state) { exchange_slot(&state, nullptr); }

}  // namespace tandem::pjrt
