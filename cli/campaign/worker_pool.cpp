#include "cli/campaign/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <map>

#include "cli/campaign/worker.hpp"
#include "cli/files/files.hpp"
#include "cli/files/standard_streams.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/progress/count.hpp"
#include "host/interruption.hpp"

namespace tandem {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int poll_milliseconds = 200;
constexpr std::chrono::seconds patience{3};  // with a worker that must end
constexpr int most_tries = 2;                // of a seed that kills its worker

class Pool {
 public:
  Pool(const Plan& plan, Store& store, const PoolOptions& options)
      : plan_(plan), store_(store), options_(options), writer_(options.folder) {
    for (std::size_t i = options.shard; i < plan.units.size(); i += options.shards) {
      const std::uint64_t missing = missing_seeds(plan, plan.units[i], store);
      if (missing != 0) waiting_.push_back(i);
      missing_ += missing;
    }
  }

  void run() {
    ProgressCount progress(missing_, plan_.noun);
    while (interruption() == 0 && (!waiting_.empty() || any_at_work())) {
      while (!waiting_.empty() && workers_.size() < options_.jobs) hire();
      listen();
      look_for_hanging();
      progress.show(done_, failed_);
    }
    dismiss();
  }

 private:
  [[nodiscard]] bool any_at_work() const {
    return std::any_of(workers_.begin(), workers_.end(),
                       [](const Worker& worker) { return worker.unit.has_value(); });
  }

  void hire() {
    workers_.push_back(start_worker(plan_, store_, options_.folder, options_.build, workers_));
    hand_out(workers_.back());
  }

  void hand_out(Worker& worker) {
    if (waiting_.empty()) {
      command_worker(worker, std::nullopt);
      return;
    }
    command_worker(worker, waiting_.front());
    waiting_.pop_front();
  }

  void listen() {
    std::vector<pollfd> polled;
    polled.reserve(workers_.size());
    for (const Worker& worker : workers_) polled.push_back({worker.messages, POLLIN, 0});
    if (::poll(polled.data(), polled.size(), poll_milliseconds) <= 0) return;
    for (std::size_t i = polled.size(); i-- > 0;) {  // from the end: the dead are taken out
      if (polled[i].revents != 0 && !read_messages(workers_[i])) bury(i);
    }
  }

  // False when the worker is gone.
  bool read_messages(Worker& worker) {
    char messages[256];
    const ssize_t count = ::read(worker.messages, messages, sizeof messages);
    if (count <= 0) return false;
    worker.heard = Clock::now();
    for (ssize_t i = 0; i < count; ++i) {
      if (messages[i] == unit_done) {
        hand_out(worker);
      } else {
        ++done_;
        failed_ += messages[i] == seed_failed ? 1 : 0;
      }
    }
    return true;
  }

  void bury(std::size_t index) {
    const Worker worker = workers_[index];
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    int status = 0;
    waitpid(worker.process, &status, 0);
    if (worker.commands >= 0) ::close(worker.commands);
    ::close(worker.messages);
    if (!worker.unit || interruption() != 0) return;
    store_.refresh();
    const Unit& unit = plan_.units[*worker.unit];
    blame(unit, worker, status);
    if (missing_seeds(plan_, unit, store_) != 0) waiting_.push_front(*worker.unit);
  }

  // The worker died at the first seed of its unit without a result.
  void blame(const Unit& unit, const Worker& worker, int status) {
    const std::string& key = plan_.key(unit);
    std::uint64_t seed = unit.first;
    while (seed < unit.first + unit.count && store_.has(key, seed)) ++seed;
    if (seed == unit.first + unit.count) return;
    if (++tries_[{key, seed}] < most_tries) return;
    SeedRecord record;
    record.key = key;
    record.build = options_.build;
    record.seed = seed;
    record.outcome = worker.hung ? "hung" : "crashed";
    record.signature = record.outcome;
    if (worker.hung) {
      record.report = fmt::format("no end within {} s, twice\n", plan_.timeout);
    } else if (WIFSIGNALED(status)) {
      record.signature += fmt::format(" by signal {}", WTERMSIG(status));
      record.report = "the worker process died, twice\n";
    } else {
      record.report = "the worker process ended early, twice; see its message on standard error\n";
    }
    writer_.append(record);
    store_.refresh();
    ++done_;
    ++failed_;
  }

  void look_for_hanging() {
    for (Worker& worker : workers_) {
      if (!worker.unit || worker.hung) continue;
      if (Clock::now() - worker.heard < std::chrono::seconds(plan_.timeout)) continue;
      worker.hung = true;
      kill(worker.process, SIGKILL);
    }
  }

  // A kill loses nothing in the store, so there is no need to wait for a long seed.
  void dismiss() {
    for (Worker& worker : workers_) {
      kill(worker.process, SIGTERM);
      if (worker.commands >= 0) ::close(worker.commands);
      worker.commands = -1;
    }
    const Clock::time_point end = Clock::now() + patience;
    while (!workers_.empty() && Clock::now() < end) listen();
    for (const Worker& worker : workers_) kill(worker.process, SIGKILL);
    while (!workers_.empty()) bury(workers_.size() - 1);
  }

  const Plan& plan_;
  Store& store_;
  PoolOptions options_;
  StoreWriter writer_;
  std::deque<std::size_t> waiting_;
  std::vector<Worker> workers_;
  std::map<std::pair<std::string, std::uint64_t>, int> tries_;
  std::uint64_t missing_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t failed_ = 0;
};

}  // namespace

void run_worker_pool(const Plan& plan, Store& store, const PoolOptions& options) {
  Pool(plan, store, options).run();
}

}  // namespace tandem
