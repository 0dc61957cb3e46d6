#include "python/pjrt/core/variables.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "python/pjrt/core/options.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

std::string checked(const char* variable) {
  const std::array<const char*, 3> variables{"PATH=/bin", variable, nullptr};
  return check_variables(variables.data());
}

TEST_CASE("A variable that is read, or somebody else's, is nothing to talk about") {
  for (const std::string_view name : option_variables()) {
    CHECK(checked((std::string(name) + "=1").c_str()).empty());
  }
  CHECK(checked("TANDEM_NIGHTLY=1").empty());
  CHECK(checked("PRESET=nano").empty());
}

TEST_CASE("A slip in the name of a variable is an error that names the right one") {
  const auto refusal = [](const char* variable) {
    try {
      checked(variable);
    } catch (const Failure& failure) {
      return failure.status.message;
    }
    return std::string("taken");
  };
  CHECK(refusal("TANDEM_PRESSET=nano").find("`TANDEM_PRESET`") != std::string::npos);
  CHECK(refusal("TANDEM_CACHE_SIZE=1").find("`TANDEM_CACHE_BYTES`") != std::string::npos);
  CHECK(refusal("TANDEM_MODEl=rtl").find("`TANDEM_MODEL`") != std::string::npos);
}

TEST_CASE("A variable that resembles none is warned of") {
  CHECK(checked("TANDEM_COLOUR_OF_BICYCLE=red").find("TANDEM_COLOUR_OF_BICYCLE") !=
        std::string::npos);
}

}  // namespace
}  // namespace tandem::pjrt
