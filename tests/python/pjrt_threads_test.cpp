// Everything that threads may do at the same time, at the same time; scripts/races watches it.
#include <atomic>
#include <thread>

#include "tests/python/pjrt_program.hpp"
#include "tests/python/temporary_folder.hpp"

namespace tandem::pjrt_test {
namespace {

void forget(PJRT_Event* event) {
  auto destroy = arguments<PJRT_Event_Destroy_Args>();
  destroy.event = event;
  check(GetPjrtApi()->PJRT_Event_Destroy(&destroy));
}

// Catch2's checks are for one thread: errors are counted.
class Threads {
 public:
  template <typename Work>
  void add(Work work) {
    threads_.emplace_back([this, work] {
      for (int round = 0; round < 20; ++round) wrong_ += work() ? 0 : 1;
    });
  }
  int wrong() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    return wrong_;
  }

 private:
  std::vector<std::thread> threads_;
  std::atomic<int> wrong_{0};
};

TEST_CASE("Threads compile, run, read and delete at once") {
  const TemporaryFolder folder;
  const Session session({{"compiler", TANDEM_ASM_COMPILER}, {"cache", folder.path()}});
  const std::vector<float> values(64, 2.5F);
  const Array shared = session.put(values);
  const Array shrinking = session.put(values);
  const Program program(session, copy_program);
  const auto runs = [&](const Program& made) {
    Program::Run run;
    if (made.try_run({&shared}, run)) return false;
    std::vector<float> back;
    const bool right = !run.results[0].read(back) && back == values;
    forget(run.done);
    return right;
  };
  Threads threads;
  std::atomic<int> number{0};
  for (int i = 0; i < 2; ++i) {
    // Half of them compiled for the first time, the others from the cache.
    threads.add([&] {
      PJRT_LoadedExecutable* executable = nullptr;
      const std::string text = copy_program + "# " + std::to_string(number++ / 2) + "\n";
      if (Program::try_compile(session, text, executable)) return false;
      auto args = arguments<PJRT_LoadedExecutable_Destroy_Args>();
      args.executable = executable;
      return !taken(GetPjrtApi()->PJRT_LoadedExecutable_Destroy(&args));
    });
    threads.add([&] { return runs(program); });
    threads.add([&] {
      std::vector<float> back;
      return !shared.read(back) && back == values;
    });
  }
  threads.add([&] {
    std::vector<float> back;
    return shrinking.read(back) || back == values;  // deleted, or as it was
  });
  threads.add([&] {
    auto args = arguments<PJRT_Buffer_Delete_Args>();
    args.buffer = shrinking.get();
    return !taken(GetPjrtApi()->PJRT_Buffer_Delete(&args));
  });
  CHECK(threads.wrong() == 0);
}

}  // namespace
}  // namespace tandem::pjrt_test
