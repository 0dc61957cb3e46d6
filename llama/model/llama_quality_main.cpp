// How many sentences of greedily continued stories parse, with the machine's arithmetic.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "cli/files/files.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/program/program.hpp"
#include "host/installed.hpp"
#include "isa/launch/launch.hpp"
#include "llama/model/quality.hpp"

namespace {

using namespace tandem;

struct Options {
  std::string grammar = installed_file("llama/model/stories.grammar");
  std::string checkpoint = installed_file("llama/model/stories.bin");
  std::string tokenizer = installed_file("llama/model/stories_tokenizer.bin");
  std::string program = installed_file("llama/llama.s");
  std::string preset = "small";
  std::uint64_t seed = 2'000'000'000;  // training and its validation stay below
  std::uint64_t count = 200;
  bool show = false;
};

int measure(const Options& options) {
  const Grammar grammar = parse_grammar(read_text(options.grammar));
  const LlamaCheckpoint checkpoint = parse_checkpoint(read_bytes(options.checkpoint));
  const LlamaTokenizer tokenizer(read_bytes(options.tokenizer), checkpoint.config.vocabulary);
  AssembleOptions assemble;
  assemble.preset = options.preset;
  const Image program = make_image(load_program({options.program}, assemble));
  StoryQuality sum;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const QualityCase story =
        continue_story(grammar, checkpoint, tokenizer, program, options.seed + i);
    add_case(grammar, story, sum);
    if (options.show) {
      fmt::print("{} |{}\n", story.prompt, story.text.substr(story.prompt.size()));
    }
  }
  const auto share = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  fmt::print("{} of {} continued sentences parse ({:.2f}%), {} of {} stories whole ({:.1f}%)\n",
             sum.parsed, sum.sentences, share(sum.parsed, sum.sentences), sum.whole, sum.stories,
             share(sum.whole, sum.stories));
  return 0;
}

int refused(const std::string& message) {
  fmt::print(stderr, "error: {}\n", message);
  return 2;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CLI::App application{"Continues stories greedily on the golden model and counts what parses"};
  application.add_option("--grammar", options.grammar)->capture_default_str();
  application.add_option("--checkpoint", options.checkpoint)->capture_default_str();
  application.add_option("--tokenizer", options.tokenizer)->capture_default_str();
  application.add_option("--program", options.program)->capture_default_str();
  application.add_option("--preset", options.preset)->capture_default_str();
  application.add_option("--seed", options.seed, "Seed of the first story")->capture_default_str();
  application.add_option("--count", options.count, "Stories")->capture_default_str();
  application.add_flag("--show", options.show, "Print each: prompt | continuation");
  CLI11_PARSE(application, argc, argv);
  return measure(options);
} catch (const UserError& error) {
  return refused(error.message);
} catch (const LlamaError& error) {
  return refused(error.message);
} catch (const GrammarError& error) {
  return refused(error.message);
} catch (const LaunchError& error) {
  return refused(error.message);
} catch (const std::exception& error) {
  return refused(error.what());
}
