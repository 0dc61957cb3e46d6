#include "cosim/lockstep/other_thread.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <thread>

namespace tandem {

TEST_CASE("another thread does one piece of work after the other") {
  OtherThread other;
  std::string done;
  std::thread::id where;
  for (const char* piece : {"a", "b", "c"}) {
    other.begin([&, piece] {
      done += piece;
      where = std::this_thread::get_id();
    });
    other.wait();
    other.wait();  // nothing is under way
  }
  CHECK(done == "abc");
  CHECK(where != std::this_thread::get_id());
}

TEST_CASE("what work in another thread throws comes to who waits for it, once") {
  OtherThread other;
  other.begin([] { throw std::runtime_error("no"); });
  CHECK_THROWS_WITH(other.wait(), "no");
  other.wait();
  bool done = false;
  other.begin([&done] { done = true; });
  other.wait();
  CHECK(done);
}

TEST_CASE("another thread ends its work before it goes") {
  bool done = false;
  {
    OtherThread other;
    other.begin([&done] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    });
  }
  CHECK(done);
}

}  // namespace tandem
