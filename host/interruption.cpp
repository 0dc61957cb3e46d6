#include "host/interruption.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <initializer_list>

namespace tandem {
namespace {

// A supervisor, for example `timeout`, sends its signal to the process and then to its group:
// signals that arrive within this time are one request. In milliseconds.
constexpr std::int64_t same_request = 500;

volatile std::sig_atomic_t noted = 0;
std::atomic<std::int64_t> asked_at = 0;  // 0 before the first; milliseconds, monotonic
static_assert(std::atomic<std::int64_t>::is_always_lock_free);  // written by a handler

std::int64_t milliseconds() {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  constexpr std::int64_t thousand = 1000;
  return static_cast<std::int64_t>(now.tv_sec) * thousand + now.tv_nsec / (thousand * thousand);
}

void note(int signal) {
  if (asked_at == 0) {
    asked_at = milliseconds();
    if (noted == 0) noted = signal;
  } else if (milliseconds() - asked_at >= same_request) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // delivered when this handler returns
  }
}

}  // namespace

void note_interruptions() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&action.sa_mask, signal);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);  // nohup stays
  }
}

void forget_interruptions() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == note) std::signal(signal, SIG_DFL);
  }
}

int interruption() { return noted; }

void note_broken_pipe() {
  if (noted == 0) noted = SIGPIPE;
}

int interrupted_status(int status) {
  constexpr int signal_status = 128;
  return noted == SIGINT || noted == SIGTERM ? signal_status + noted : status;
}

}  // namespace tandem
