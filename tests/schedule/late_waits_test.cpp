// In a loop that is a pipeline, a wait comes as late as the following operations allow: it may hold
// its bundle for long, and all bundles after it.
#include <algorithm>
#include <catch2/catch.hpp>

#include "schedule/proof/validate.hpp"
#include "tests/schedule/support.hpp"

namespace tandem::test {
namespace {

using schedule::Level;

// The last bundle in which the operation issues.
std::uint32_t last_bundle_of(const schedule::Result& result, std::uint32_t operation) {
  std::uint32_t last = 0;
  for (const schedule::Issue& issue : result.issues) {
    if (issue.source == operation) last = std::max(last, issue.bundle);
  }
  return last;
}

}  // namespace

// The next iteration's data is waited for at the end of this one, which has long chains.
TEST_CASE("a loop waits behind its work for what only its next iteration loads") {
  constexpr int chains = 3;
  LinearText text;
  text.add(Op::mov, {text.s("i"), 0});
  const auto head = text.label();
  std::uint32_t last_load = 0;
  for (int i = 0; i < chains; ++i) {
    const std::string x = "x" + std::to_string(i);
    last_load = static_cast<std::uint32_t>(text.block.operations.size());
    text.add(Op::vld, {text.v(x), LinearText::at(8 * i)});
    for (int link = 0; link < 2; ++link) text.add(Op::exp2, {text.v(x), text.v(x)});
    text.add(Op::vst, {LinearText::at(512 + (8 * i)), text.v(x)});
  }
  const auto wait = static_cast<std::uint32_t>(text.block.operations.size());
  text.add(Op::wait, {2, 1});
  text.add(Op::fset, {2, 0});
  text.add(Op::add, {text.s("i"), text.s("i"), 1});
  text.add(Op::lt_s32, {text.p("again"), text.s("i"), 100});
  text.branch_if(text.p("again"), head);
  text.add(Op::halt, {});
  const schedule::Result result = schedule_block(text.block, {Level::full, find_preset("small")});
  REQUIRE(result.ok());
  REQUIRE(validate(text.block, result) == "");
  REQUIRE(result.loops.size() == 1);
  REQUIRE(result.loops.front().pipelined);
  // In the kernel, which comes last in the text, or in the rest of the last iteration.
  CHECK(last_bundle_of(result, wait) > last_bundle_of(result, last_load));
}

}  // namespace tandem::test
