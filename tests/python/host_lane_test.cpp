#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <string>
#include <vector>

#include "python/pjrt/core/behind.hpp"
#include "python/pjrt/core/host_lane.hpp"
#include "python/pjrt/programs/host_key.hpp"

namespace tandem::pjrt {
namespace {

SharedCompletion pending() { return std::make_shared<Completion>(); }

TEST_CASE("a lane does one thing after the other and all of it before the wait ends") {
  std::vector<int> done;
  const auto lane = std::make_shared<HostLane>();
  for (int i = 0; i < 100; ++i) lane->post([&done, i] { done.push_back(i); });
  HostLane::wait_for_all();
  REQUIRE(done.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(done[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("what a function in a lane starts is told in another lane") {
  const auto lane = std::make_shared<HostLane>();
  CHECK(HostLane::from_here(lane) == lane);
  std::promise<bool> reached;
  lane->post([&] {
    std::promise<void> inner;
    HostLane::from_here(lane)->post([&inner] { inner.set_value(); });
    reached.set_value(inner.get_future().wait_for(std::chrono::seconds(60)) ==
                      std::future_status::ready);
  });
  CHECK(reached.get_future().get());
  HostLane::wait_for_all();
}

TEST_CASE("a lane that goes away does what it was asked for") {
  std::atomic<int> done{0};
  std::promise<void> go;
  {
    HostLane lane;
    lane.post([&] { go.get_future().wait(); });
    lane.post([&] { ++done; });
  }
  go.set_value();
  HostLane::wait_for_all();
  CHECK(done == 1);
}

TEST_CASE("a result is ready behind what it was made of") {
  const auto first = pending();
  const auto second = pending();
  const auto done = pending();
  behind({finished(), first, second}, done)->finish({});
  second->finish({});
  CHECK_FALSE(done->is_ready());
  first->finish({});
  CHECK(done->wait().ok());
}

TEST_CASE("a failure of what a result was made of is its own") {
  const auto first = pending();
  const auto done = pending();
  behind({first}, done)->finish({});
  first->finish({PJRT_Error_Code_INTERNAL, "no"});
  CHECK(done->wait().message == "no");
  const auto other = pending();
  behind({first}, other)->finish({});
  CHECK(other->wait().message == "no");
  const auto own = pending();
  behind({pending()}, own)->finish({PJRT_Error_Code_CANCELLED, "own"});
  CHECK(own->wait().message == "own");
}

TEST_CASE("with nothing to wait for a result is the worker's to finish") {
  const auto done = pending();
  CHECK(behind({finished(), finished()}, done) == done);
}

TEST_CASE("a long chain of results takes no deep stack") {
  const auto first = pending();
  auto last = first;
  for (int i = 0; i < 200'000; ++i) {
    const auto next = pending();
    behind({last}, next)->finish({});
    last = next;
  }
  first->finish({});
  CHECK(last->wait().ok());
}

TEST_CASE("a program is the same whatever its key") {
  const std::string digits = "0123456789abcdef0123456789abcdef0123456789abcdef";
  const std::string before = "...tandem.host.key:short, tandem_debug";
  const std::string program = before + "tandem.host.key:" + digits + " and more";
  CHECK(calls_host(program));
  CHECK(host_key(program) == digits);
  CHECK(without_host_key(program) ==
        before + "tandem.host.key:" + std::string(48, '0') + " and more");
  CHECK(host_key(without_host_key(before)).empty());
  CHECK(without_host_key(before) == before);
  CHECK_FALSE(calls_host("stablehlo.add"));
}

}  // namespace
}  // namespace tandem::pjrt
