#include "cli/run/interruption.hpp"

#include <csignal>
#include <initializer_list>

namespace tandem {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) {
  if (noted == 0) noted = signal;
}

}  // namespace

void note_interruptions() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);  // nohup stays
  }
}

int interruption() { return noted; }

void note_broken_pipe() { note(SIGPIPE); }

int interrupted_status(int status) {
  constexpr int signal_status = 128;
  return noted == SIGINT || noted == SIGTERM ? signal_status + noted : status;
}

}  // namespace tandem
