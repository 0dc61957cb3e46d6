#include "python/pjrt/core/worker.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <future>
#include <vector>

namespace tandem::pjrt {
namespace {

void nothing(int) {}

// As an interpreter has it: a handler that only notes.
class SignalHandled {
 public:
  SignalHandled() : before_(std::signal(SIGINT, nothing)) { handle_interrupts(); }
  ~SignalHandled() { std::signal(SIGINT, before_); }
  SignalHandled(const SignalHandled&) = delete;
  SignalHandled& operator=(const SignalHandled&) = delete;

 private:
  void (*before_)(int);
};

SharedCompletion posted(Worker& worker, TaskKind kind, Worker::Task task) {
  auto done = std::make_shared<Completion>();
  worker.post(kind, std::move(task), done);
  return done;
}

TEST_CASE("Ctrl-C in a transfer cancels the runs that wait behind it, and no later one") {
  const SignalHandled handled;
  Worker worker{runtime::DeviceOptions{}};
  std::promise<void> goes_on;
  std::promise<void> begun;
  const auto transfer = posted(worker, TaskKind::transfer, [&](runtime::Device&) {
    begun.set_value();
    goes_on.get_future().wait();
  });
  const auto waiting = posted(worker, TaskKind::run, [](runtime::Device&) {});
  const auto waiting_transfer = posted(worker, TaskKind::transfer, [](runtime::Device&) {});
  begun.get_future().wait();
  std::raise(SIGINT);
  bool raised = true;
  const auto later =
      posted(worker, TaskKind::run, [&](runtime::Device&) { raised = worker.interrupt().load(); });
  goes_on.set_value();
  CHECK(transfer->wait().ok());
  CHECK(waiting->wait().code == PJRT_Error_Code_CANCELLED);
  CHECK(waiting_transfer->wait().ok());
  CHECK(later->wait().ok());
  CHECK_FALSE(raised);
}

TEST_CASE("Ctrl-C ends the run at hand") {
  const SignalHandled handled;
  Worker worker{runtime::DeviceOptions{}};
  std::promise<void> begun;
  const auto run = posted(worker, TaskKind::run, [&](runtime::Device&) {
    begun.set_value();
    while (!worker.interrupt().load()) std::this_thread::yield();
  });
  begun.get_future().wait();
  std::raise(SIGINT);
  CHECK(run->wait().ok());
}

TEST_CASE("Ctrl-C while nothing goes on is not for what comes after it") {
  const SignalHandled handled;
  Worker worker{runtime::DeviceOptions{}};
  std::raise(SIGINT);
  bool raised = true;
  const auto run =
      posted(worker, TaskKind::run, [&](runtime::Device&) { raised = worker.interrupt().load(); });
  CHECK(run->wait().ok());
  CHECK_FALSE(raised);
}

TEST_CASE("Ctrl-C is told to compilations beside as many devices as there may be") {
  const SignalHandled handled;
  std::vector<InterruptState> devices(64);
  for (InterruptState& device : devices) add_interrupt(device);
  {
    const Interrupt first;
    const Interrupt second;
    std::raise(SIGINT);
    CHECK(first.seen());
    CHECK(second.seen());
  }
  for (InterruptState& device : devices) remove_interrupt(device);
}

}  // namespace
}  // namespace tandem::pjrt
