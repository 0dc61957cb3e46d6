// The scalar programs against the same work done by the host.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>

#include "isa/parameters.hpp"
#include "tests/benchmarks/kernel.hpp"

namespace tandem::test {
namespace {

using Words = std::vector<std::int32_t>;

// Each program twice: bundled by hand, and in linear form.
constexpr std::array folders{"benchmarks/scalar/", "benchmarks/scalar/linear/"};

void check_sort(const Words& list, std::string_view preset, std::string_view model) {
  Words expected = list;
  std::sort(expected.begin(), expected.end());
  const auto count = static_cast<std::int64_t>(list.size());
  for (const std::string folder : folders) {
    const Tensors outputs =
        run_kernel(folder + "sort.s", preset, {{"values", make_tensor({count}, list)}}, model);
    CHECK(elements_of<std::int32_t>(outputs.at("values")) == expected);
  }
}

Words numbers(std::size_t count, std::int32_t low, std::int32_t high) {
  Generator random(count + static_cast<std::size_t>(high));
  Words values(count);
  for (std::int32_t& value : values) value = random.integer(low, high);
  return values;
}

TEST_CASE("the sort orders lists of every kind") {
  std::vector<Words> lists{{7}, {2, 1}, {INT32_MAX, INT32_MIN, 0, -1, 1}};
  for (const std::size_t count : {12, 13, 14, 100, 3000}) {
    lists.push_back(numbers(count, -1'000'000'000, 1'000'000'000));
    lists.push_back(numbers(count, 0, 3));  // many equal ones
    lists.push_back(numbers(count, -50, 50));
    std::sort(lists.back().begin(), lists.back().end());
    lists.emplace_back(lists.back().rbegin(), lists.back().rend());
  }
  for (const Words& list : lists) {
    for (const Parameters& preset : presets) check_sort(list, preset.name, "golden");
  }
  for (const std::string_view preset : lockstep_presets()) {
    check_sort(numbers(200, -1000, 1000), preset, "lockstep");
  }
}

TEST_CASE("the sort refuses more values than SMEM holds") {
  for (const std::string folder : folders) {
    CHECK(trap_of_kernel(folder + "sort.s", "nano",
                         {{"values", make_tensor({4096}, Words(4096))}}) == 1);
  }
}

std::int32_t ackermann_calls = 0;
std::int32_t ackermann(std::int32_t m, std::int32_t n) {
  ++ackermann_calls;
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
std::int32_t fibonacci(std::int32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

void check_recursion(const Words& problem, std::string_view preset, std::string_view model) {
  ackermann_calls = 0;
  const std::int32_t value = ackermann(problem[0], problem[1]);
  const Words expected{value, ackermann_calls, fibonacci(problem[2]), (1 << problem[3]) - 1,
                       problem[3]};
  for (const std::string folder : folders) {
    const Tensors outputs =
        run_kernel(folder + "recursion.s", preset, {{"problem", make_tensor({4}, problem)}}, model);
    CHECK(elements_of<std::int32_t>(outputs.at("answer")) == expected);
  }
}

TEST_CASE("recursion gives what the host computes") {
  for (const Words& problem : {Words{0, 0, 0, 0}, Words{1, 5, 1, 1}, Words{2, 3, 10, 5},
                               Words{3, 4, 16, 9}, Words{3, 6, 20, 12}}) {
    for (const Parameters& preset : presets) check_recursion(problem, preset.name, "golden");
  }
  for (const std::string_view preset : lockstep_presets()) {
    check_recursion({2, 3, 9, 4}, preset, "lockstep");
  }
}

// The count, then the first positions; the rest keeps -1.
Words occurrences(const std::string& text, const std::string& pattern, std::size_t room) {
  Words found(room, -1);
  found[0] = 0;
  for (std::size_t at = text.find(pattern); at != std::string::npos;
       at = text.find(pattern, at + 1)) {
    const auto index = static_cast<std::size_t>(++found[0]);
    if (index < room) found[index] = static_cast<std::int32_t>(at);
  }
  return found;
}

void check_search(const std::string& text, const std::string& pattern, std::string_view preset,
                  std::string_view model) {
  INFO(pattern << " in " << text);
  const auto bytes = [](const std::string& string) {
    return make_tensor({static_cast<std::int64_t>(string.size())},
                       std::vector<char>(string.begin(), string.end()));
  };
  for (const std::string folder : folders) {
    const Tensors outputs = run_kernel(folder + "search.s", preset,
                                       {{"text", bytes(text)},
                                        {"pattern", bytes(pattern)},
                                        {"matches", make_tensor({20}, Words(20, -1))}},
                                       model);
    CHECK(elements_of<std::int32_t>(outputs.at("matches")) == occurrences(text, pattern, 20));
  }
}

TEST_CASE("the search refuses an empty pattern and strings that SMEM does not hold") {
  const auto bytes = [](std::int64_t size) {
    return make_tensor({size}, std::vector<char>(static_cast<std::size_t>(size), 'a'));
  };
  const TensorData matches = make_tensor({4}, Words(4));
  for (const std::string folder : folders) {
    for (const auto& [text, pattern] : {std::pair{16, 0}, std::pair{100'000, 8}}) {
      CHECK(trap_of_kernel(
                folder + "search.s", "nano",
                {{"text", bytes(text)}, {"pattern", bytes(pattern)}, {"matches", matches}}) == 1);
    }
  }
}

TEST_CASE("the search finds overlapping occurrences and bytes above 127") {
  std::string periodic;
  for (int i = 0; i < 300; ++i) periodic += "aabaaab"[i % 7];
  const std::vector<std::pair<std::string, std::string>> cases{{"a", "a"},
                                                               {"b", "a"},
                                                               {"aaaaa", "aa"},
                                                               {"ab", "abc"},
                                                               {periodic, "aab"},
                                                               {periodic, "aabaa"},
                                                               {periodic, "aaabaa"},
                                                               {"x\xff\x80\xff\x80y", "\xff\x80"},
                                                               {periodic, "bb"},
                                                               {periodic, periodic},
                                                               {"", "a"}};
  for (const auto& [text, pattern] : cases) {
    for (const Parameters& preset : presets) check_search(text, pattern, preset.name, "golden");
  }
  for (const std::string_view preset : lockstep_presets()) {
    check_search(periodic, "aabaa", preset, "lockstep");
  }
}

}  // namespace
}  // namespace tandem::test
