// The grammar of the stories: what it writes parses, what it does not write does not.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "llama/model/story.hpp"

namespace tandem::test {
namespace {

using Catch::Contains;

const Grammar& stories() {
  static const Grammar grammar = [] {
    std::ifstream file("llama/model/stories.grammar");
    return parse_grammar(std::string(std::istreambuf_iterator<char>(file), {}));
  }();
  return grammar;
}

const char* const small_grammar = R"(
list child: name | he
  Ann | she
  Bob | he
list toy: name
  ball
  kite
rule story
  {child.name} <saw>. {^child.he} <saw>.
  There was a {toy.name}. <again>
rule saw
  saw a {toy.name}
rule again
  The {toy.name} fell.
  The {toy.name} fell. The {toy.name} broke.
)";

StoryCheck checked(const std::string& text) {
  return check_story(parse_grammar(small_grammar), text);
}

TEST_CASE("every story that is written parses") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::string story = write_story(stories(), seed);
    const StoryCheck check = check_story(stories(), story);
    INFO(story);
    CHECK(check.whole);
    CHECK(check.parsed == check.sentences);
    CHECK(check.sentences >= 10);
  }
}

TEST_CASE("seeds write different stories, more than a million of them") {
  std::set<std::string> different;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    different.insert(write_story(stories(), seed));
  }
  CHECK(different.size() == 2000);
  CHECK(count_stories(stories()) > 1e6);
}

TEST_CASE("stories are counted as they can be chosen") {
  // first alternative: 2 children, 2 toys; second: 2 toys, 2 ways on
  CHECK(count_stories(parse_grammar(small_grammar)) == 8);
}

TEST_CASE("a sentence counts when it goes on from all before it") {
  const StoryCheck good = checked("Ann saw a ball. She saw a ball.");
  CHECK(good.whole);
  CHECK(good.parsed == 2);
  const StoryCheck other_toy = checked("Ann saw a ball. She saw a kite.");
  CHECK_FALSE(other_toy.whole);
  CHECK(other_toy.sentences == 2);
  CHECK(other_toy.parsed == 1);
  CHECK(checked("Ann saw a ball. He saw a ball.").parsed == 1);
  CHECK(checked("Ann saw a dog. She saw a ball.").parsed == 0);
}

TEST_CASE("a checker tries every way to go on") {
  CHECK(checked("There was a kite. The kite fell. The kite broke.").whole);
  CHECK(checked("There was a kite. The kite fell.").whole);
  CHECK(checked("There was a kite. The kite broke.").parsed == 1);
}

TEST_CASE("a story that stops early or goes on is not whole") {
  CHECK_FALSE(checked("").whole);
  const StoryCheck early = checked("Ann saw a ball. She saw");
  CHECK_FALSE(early.whole);
  CHECK(early.sentences == 1);
  CHECK(early.parsed == 1);
  const StoryCheck late = checked("Ann saw a ball. She saw a ball. She saw a ball.");
  CHECK_FALSE(late.whole);
  CHECK(late.sentences == 3);
  CHECK(late.parsed == 2);
}

TEST_CASE("a grammar with a mistake is refused with its line") {
  const auto reason = [](const std::string& text) {
    try {
      parse_grammar(text);
    } catch (const GrammarError& error) {
      return error.message;
    }
    return std::string("accepted");
  };
  CHECK_THAT(reason(""), Contains("no rule `story`"));
  CHECK_THAT(reason("rule story\n"), Contains("`story` is empty"));
  CHECK_THAT(reason("  entry\n"), Contains("line 1: an entry before"));
  CHECK_THAT(reason("nonsense\n"), Contains("line 1: expected"));
  CHECK_THAT(reason("list a\n"), Contains("line 1: expected `list NAME"));
  CHECK_THAT(reason("list a: b\nrule story\n  x\n"), Contains("`a` is empty"));
  CHECK_THAT(reason("list a: b\n  x | y\n"), Contains("line 2: a record of `a` has 1 fields"));
  CHECK_THAT(reason("rule story\n  <other>\n"), Contains("line 2: there is no rule `other`"));
  CHECK_THAT(reason("rule story\n  {a.b}\n"), Contains("line 2: no field `a.b`"));
  CHECK_THAT(reason("rule story\n  {a\n"), Contains("line 2: a bracket"));
  CHECK_THAT(reason("rule story\n  a <story>\n"), Contains("leads back to itself"));
  CHECK_THAT(reason("rule a\nrule a\n"), Contains("line 2: a second rule"));
}

}  // namespace
}  // namespace tandem::test
