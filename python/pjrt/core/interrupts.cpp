#include "python/pjrt/core/interrupts.hpp"

#include <array>
#include <csignal>
#include <mutex>

namespace tandem::pjrt {
namespace {

std::array<std::atomic<std::atomic<bool>*>, 64> flags;  // read by the handler
struct sigaction previous {};

void on_interrupt(int signal, siginfo_t* info, void* context) {
  for (auto& slot : flags) {
    if (std::atomic<bool>* flag = slot.load()) flag->store(true);
  }
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else {
    previous.sa_handler(signal);
  }
}

void exchange_slot(std::atomic<bool>* from, std::atomic<bool>* to) {
  for (auto& slot : flags) {
    std::atomic<bool>* expected = from;
    if (slot.compare_exchange_strong(expected, to)) return;
  }
}

}  // namespace

void handle_interrupts() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (sigaction(SIGINT, nullptr, &previous) != 0) return;
    const bool plain = (previous.sa_flags & SA_SIGINFO) == 0;
    if (plain && (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN)) return;
    struct sigaction ours = previous;
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = on_interrupt;
    sigaction(SIGINT, &ours, nullptr);
  });
}

void add_interrupt(std::atomic<bool>& flag) { exchange_slot(nullptr, &flag); }

void remove_interrupt(std::atomic<bool>& flag) { exchange_slot(&flag, nullptr); }

}  // namespace tandem::pjrt
