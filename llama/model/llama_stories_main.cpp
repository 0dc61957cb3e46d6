// Writes stories of llama/model/stories.grammar, one per line, and checks them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "host/host_file.hpp"
#include "host/installed.hpp"
#include "llama/model/story.hpp"

namespace {

using namespace tandem;

Grammar read_grammar(const std::string& path) {
  std::string text;
  if (!read_file(path, text)) throw GrammarError{"cannot read the file"};
  return parse_grammar(text);
}

void write_stories(const Grammar& grammar, std::uint64_t seed, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) fmt::print("{}\n", write_story(grammar, seed + i));
}

int check_stories(const Grammar& grammar) {
  std::size_t stories = 0;
  std::size_t whole = 0;
  StoryCheck sum;
  for (std::string line; std::getline(std::cin, line); ++stories) {
    const StoryCheck check = check_story(grammar, line);
    sum.sentences += check.sentences;
    sum.parsed += check.parsed;
    whole += check.whole ? 1 : 0;
  }
  fmt::print("{} of {} sentences parse, {} of {} stories are whole\n", sum.parsed, sum.sentences,
             whole, stories);
  return whole == stories ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App application{"Stories to train the model of llama on"};
  application.require_subcommand(1);
  std::string path = installed_file("llama/model/stories.grammar");
  application.add_option("--grammar", path, "The grammar")->capture_default_str();
  std::uint64_t seed = 0;
  std::uint64_t count = 1;
  CLI::App* write = application.add_subcommand("write", "Write stories, one a line");
  write->add_option("--seed", seed, "Seed of the first story; the next one has the next")
      ->capture_default_str();
  write->add_option("--count", count, "How many")->capture_default_str();
  CLI::App* check = application.add_subcommand("check", "Parse stories from standard input");
  CLI::App* number = application.add_subcommand("count", "How many stories there are");
  CLI11_PARSE(application, argc, argv);
  try {
    const Grammar grammar = read_grammar(path);
    if (*write) write_stories(grammar, seed, count);
    if (*number) fmt::print("{:.3g}\n", count_stories(grammar));
    return *check ? check_stories(grammar) : 0;
  } catch (const GrammarError& error) {
    fmt::print(stderr, "{}: {}\n", path, error.message);
    return 2;
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 2;
}
