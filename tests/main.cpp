// Catch2's main, compiled once for all test executables. A run in which nothing was checked because
// what it needs is not there says so by WARN("SKIPPED: ...") and ends with the status that ctest
// counts as skipped.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

namespace {

constexpr int skipped_status = 77;

bool skipped = false;
bool checked = false;

class SkipListener final : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;

  bool assertionEnded(const Catch::AssertionStats& stats) override {
    for (const Catch::MessageInfo& message : stats.infoMessages) {
      if (message.message.rfind("SKIPPED", 0) == 0) skipped = true;
    }
    return false;
  }
  void testRunEnded(const Catch::TestRunStats& stats) override {
    checked = stats.totals.assertions.total() != 0;
  }
};
CATCH_REGISTER_LISTENER(SkipListener)

}  // namespace

int main(int count, char** arguments) {
  const int status = Catch::Session().run(count, arguments);
  return status == 0 && skipped && !checked ? skipped_status : status;
}
