#include "python/pjrt/core/host_lane.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace tandem::pjrt {

struct HostLane::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  bool busy = false;
  bool stopping = false;
  std::thread thread;
  std::shared_ptr<HostLane> inner;  // for what functions in this one start
};

namespace {

// Of all lanes together.
struct Unfinished {
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t jobs = 0;

  void add(std::int64_t number) {
    const std::lock_guard lock(mutex);
    jobs += static_cast<std::uint64_t>(number);
    if (jobs == 0) changed.notify_all();
  }
};

Unfinished& unfinished() {
  static auto* const kept = new Unfinished;  // threads may end after the process's statics
  return *kept;
}

thread_local void* lane_here = nullptr;  // the State of the lane whose thread this is

}  // namespace

HostLane::HostLane() : state_(std::make_shared<State>()) {}

HostLane::~HostLane() {
  std::unique_lock lock(state_->mutex);
  state_->stopping = true;
  state_->changed.notify_all();
  if (!state_->thread.joinable()) return;
  std::thread thread = std::move(state_->thread);
  const bool idle = !state_->busy && state_->jobs.empty();
  lock.unlock();
  if (idle && thread.get_id() != std::this_thread::get_id()) {
    thread.join();
  } else {
    thread.detach();
  }
}

void HostLane::post(Job job) {
  unfinished().add(1);
  const std::lock_guard lock(state_->mutex);
  state_->jobs.push_back(std::move(job));
  if (!state_->thread.joinable()) state_->thread = std::thread(work, state_);
  state_->changed.notify_one();
}

void HostLane::work(const std::shared_ptr<State>& state) {
  lane_here = state.get();
  std::unique_lock lock(state->mutex);
  while (true) {
    state->changed.wait(lock, [&] { return state->stopping || !state->jobs.empty(); });
    if (state->jobs.empty()) return;
    Job job = std::move(state->jobs.front());
    state->jobs.pop_front();
    state->busy = true;
    lock.unlock();
    job();
    job = nullptr;
    unfinished().add(-1);
    lock.lock();
    state->busy = false;
  }
}

void HostLane::wait_for_all() {
  Unfinished& all = unfinished();
  std::unique_lock lock(all.mutex);
  all.changed.wait(lock, [&] { return all.jobs == 0; });
}

std::shared_ptr<HostLane> HostLane::from_here(const std::shared_ptr<HostLane>& lane) {
  if (lane_here == nullptr) return lane;
  State& here = *static_cast<State*>(lane_here);
  const std::lock_guard lock(here.mutex);
  if (here.inner == nullptr) here.inner = std::make_shared<HostLane>();
  return here.inner;
}

}  // namespace tandem::pjrt
