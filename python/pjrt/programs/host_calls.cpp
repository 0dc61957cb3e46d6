#include "python/pjrt/programs/host_calls.hpp"

#include <array>
#include <utility>

#include "isa/launch/log.hpp"
#include "python/pjrt/core/fork_guard.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

std::atomic<const TandemHostFunctions*>& installed() {
  static std::atomic<const TandemHostFunctions*> functions{nullptr};
  return functions;
}

PJRT_Error_Code code_of(int outcome) {
  return outcome == 2 ? PJRT_Error_Code_UNIMPLEMENTED : PJRT_Error_Code_INTERNAL;
}

std::vector<std::uint32_t> words_of(const runtime::Device& device, const runtime::DeviceTensor& log,
                                    std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint32_t> words(count);
  device.read_part(log, 4 * first,
                   {reinterpret_cast<std::uint8_t*>(words.data()), 4 * words.size()});
  return words;
}

}  // namespace

HostCalls::HostCalls(const std::string& key, std::shared_ptr<HostLane> lane)
    : lane_(std::move(lane)), told_(std::make_shared<Told>()), used_(log_state_words) {
  const TandemHostFunctions* const functions = installed();
  told_->run = functions == nullptr || key.empty() ? -1 : functions->begin(key.c_str());
  if (told_->run >= 0) return;
  fail(PJRT_Error_Code_FAILED_PRECONDITION,
       "the program calls functions of the host (jax.debug.print and its like) that this process "
       "does not have: it was compiled in another one, or they are gone; trace and compile it "
       "here");
}

HostCalls::~HostCalls() {
  if (!ended_ && !is_forked_child()) deliver({}, true);
}

void HostCalls::tell(const runtime::Device& device, const runtime::DeviceTensor& log) {
  const std::vector<std::uint32_t> state = words_of(device, log, 0, log_state_words);
  // Before the run begins, the log has arbitrary contents.
  if (state[0] < used_ || 4 * std::uint64_t{state[0]} > log.bytes()) return;
  lost_ = state[1];
  if (state[0] == used_) return;
  Words records = words_of(device, log, used_, state[0] - used_);
  used_ = state[0];
  deliver(std::move(records), false);
}

void HostCalls::deliver(Words records, bool last) {
  lane_->post([told = told_, records = std::move(records), lost = lost_, last] {
    if (told->failed && !last) return;
    std::array<char, 65536> message{};
    const int outcome = installed().load()->deliver(
        told->run, records.data(), static_cast<std::int64_t>(records.size()), lost, last ? 1 : 0,
        message.data(), static_cast<std::int64_t>(message.size()));
    if (outcome == 0 || told->failed) return;
    told->status = {code_of(outcome), message.data()};
    told->failed = true;
  });
}

void HostCalls::end(const Status& status, SharedCompletion done) {
  ended_ = true;
  deliver({}, true);
  lane_->post([told = told_, status, done = std::move(done)] {
    done->finish(told->failed ? told->status : status);
  });
}

}  // namespace tandem::pjrt

void tandem_install_host_functions(const TandemHostFunctions* functions) {
  tandem::pjrt::installed() = functions;
}

void tandem_wait_for_host_functions() { tandem::pjrt::HostLane::wait_for_all(); }
