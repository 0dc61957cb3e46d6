// `tandem llama` as a user calls it: its output, and its reaction to bad input.
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "tests/benchmarks/kernel.hpp"

namespace tandem::test {
namespace {

const std::string folder = "../shared/data/llama/";
const std::string checkpoint = folder + "stories260K.bin";
const std::string tokenizer = folder + "tok512.bin";

bool at_hand() {
  if (std::filesystem::exists(checkpoint)) return true;
  WARN("SKIPPED: no " << checkpoint);
  return false;
}

struct Ended {
  int status = 0;
  std::string out;  // standard output and error
};

// Runs the command with both outputs in a file.
Ended tandem(std::vector<std::string> words) {
  words.insert(words.begin(), {"tandem", "llama"});
  std::vector<const char*> arguments;
  arguments.reserve(words.size());
  for (const std::string& word : words) arguments.push_back(word.c_str());
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(nullptr);
  const std::array<int, 2> saved{dup(1), dup(2)};
  dup2(fileno(file), 1);
  dup2(fileno(file), 2);
  Ended ended;
  ended.status = run_application(static_cast<int>(arguments.size()), arguments.data());
  std::fflush(nullptr);
  dup2(saved[0], 1);
  dup2(saved[1], 2);
  close(saved[0]);
  close(saved[1]);
  REQUIRE(std::fseek(file, 0, SEEK_SET) == 0);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    ended.out += static_cast<char>(c);
  }
  std::fclose(file);
  return ended;
}

// A file that lives as long as this.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& contents)
      : path(std::filesystem::temp_directory_path() /
             ("tandem_llama_" + std::to_string(getpid()) + "_" +
              std::to_string(std::hash<std::string>{}(contents)))) {
    std::ofstream(path, std::ios::binary) << contents;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path); }

  std::filesystem::path path;
};

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("the llama command prints text and numbers") {
  if (!at_hand()) return;
  const Ended text =
      tandem({"--checkpoint", checkpoint, "--tokenizer", tokenizer, "--tokens", "5"});
  CHECK(text.status == 0);
  CHECK_THAT(text.out, Catch::StartsWith("Once upon a time"));
  const Ended numbers = tandem(
      {"--checkpoint", checkpoint, "--tokenizer", tokenizer, "--tokens", "3", "--print-tokens"});
  CHECK_THAT(numbers.out, Catch::StartsWith("403\n407\n261\n"));
  const Ended json =
      tandem({"--checkpoint", checkpoint, "--tokenizer", tokenizer, "--tokens", "3", "--json"});
  CHECK_THAT(json.out, Catch::Contains("\"text\": \"Once upon a\""));
}

TEST_CASE("without files the llama command tells a story of the own model") {
  const Ended ended = tandem({"--tokens", "24"});
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, Catch::StartsWith("Once upon a time") || Catch::StartsWith("There once"));
  CHECK_THAT(ended.out, Catch::Contains("\n24 tokens, ") && Catch::Contains(" bundles, ") &&
                            Catch::Contains(" tokens/s"));
}

TEST_CASE("in lockstep the llama command says how many bundles were checked") {
  if (lockstep_presets().empty()) return;
  const std::string preset(lockstep_presets().front());
  const Ended ended = tandem({"--tokens", "2", "--on", "lockstep", "--preset", preset});
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, Catch::Contains(" cycles (") && Catch::Contains(" bundles checked, "));
}

TEST_CASE("counters of the llama command tell the parts of a token apart") {
  const Ended ended = tandem({"--tokens", "3", "--on", "cycle", "--counters"});
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, Catch::Contains("marker 1 (next_token)") &&
                            Catch::Contains("marker 2 (next_layer)") &&
                            Catch::Contains("marker 3 (feed_forward)") &&
                            Catch::Contains("marker 4 (classify)"));
  const Ended json = tandem({"--tokens", "3", "--on", "cycle", "--counters", "--json"});
  const auto result = nlohmann::json::parse(json.out);
  std::uint64_t cycles = 0;
  for (const auto& region : result["regions"]) {
    cycles += region["cycles"].get<std::uint64_t>();
  }
  CHECK(cycles == result["cycles"]);
  CHECK(result["regions"].size() == 5);
  CHECK(result["regions"][4]["times"] == 3);
}

TEST_CASE("the llama command refuses counters of a model without time") {
  const Ended ended = tandem({"--tokens", "3", "--counters"});
  CHECK(ended.status == 2);
  CHECK_THAT(ended.out, Catch::Contains("need a model with time"));
}

TEST_CASE("the llama command goes on from a prompt") {
  const std::string prompt = "There once was a happy girl. Her name was Mia";
  const Ended text = tandem({"--prompt", prompt, "--tokens", "6"});
  CHECK(text.status == 0);
  CHECK_THAT(text.out, Catch::StartsWith(prompt + ", and she lived"));
  CHECK_THAT(text.out, Catch::Contains("prompt tokens, 6 tokens"));
  const Ended json = tandem({"--prompt", prompt, "--tokens", "6", "--json"});
  const auto result = nlohmann::json::parse(json.out);
  CHECK(result["tokens"].size() == 6);
  CHECK(result["prompt_tokens"].size() > 6);
  CHECK_THAT(result["text"].get<std::string>(), Catch::StartsWith(prompt + ", and she lived"));
}

TEST_CASE("a seed of the llama command tells one story") {
  const auto text = [](const char* seed) {
    const Ended ended =
        tandem({"--tokens", "40", "--temperature", "1", "--seed", seed, "--print-tokens"});
    CHECK(ended.status == 0);
    return ended.out.substr(0, ended.out.find("halted"));
  };
  CHECK(text("1") == text("1"));
  CHECK(text("1") != text("2"));
}

TEST_CASE("the llama command refuses bad prompts and numbers with status 2") {
  const auto refused = [](const std::vector<std::string>& words, const std::string& reason) {
    const Ended ended = tandem(words);
    CHECK(ended.status == 2);
    CHECK_THAT(ended.out, Catch::Contains(reason));
  };
  std::string long_prompt;
  for (int i = 0; i < 300; ++i) long_prompt += "z ";
  refused({"--prompt", long_prompt}, "tokens, at most 255 fit");
  refused({"--prompt", "Once upon a time", "--tokens", "256"}, "after this prompt");
  refused({"--prompt", "Hallo W\xc3\xb6lfe"}, "prompt, offset 7");
  refused({"--prompt", "Tom", "--force", "x"}, "excludes");
  refused({"--tokens", "257"}, "makes 1 to 256");
  refused({"--tokens", "-1"}, "makes 1 to 256");
  refused({"--temperature", "-1"}, "temperature -1");
  refused({"--temperature", "warm"}, "--temperature");
  refused({"--seed", "x"}, "--seed");
}

TEST_CASE("the llama command counts agreement with forced tokens") {
  if (!at_hand()) return;
  const TemporaryFile forced("403 407 261 9\n");
  const Ended ended = tandem({"--checkpoint", checkpoint, "--tokenizer", tokenizer, "--tokens", "4",
                              "--force", forced.path.string()});
  CHECK(ended.status == 0);
  CHECK_THAT(ended.out, Catch::Contains("3 of 4 choices as forced"));
}

// Sizes are enough to test refusals: the model itself is unusable.
TEST_CASE("the llama command refuses bad files with status 2, no model at hand") {
  const TemporaryFile bad("no checkpoint");
  const std::string path = bad.path.string();
  CHECK_THAT(tandem({"--checkpoint", path}).out, Catch::Contains("requires --tokenizer"));
  CHECK_THAT(tandem({"--tokenizer", path}).out, Catch::Contains("requires --checkpoint"));
  const Ended ended = tandem({"--checkpoint", path, "--tokenizer", path});
  CHECK(ended.status == 2);
  CHECK_THAT(ended.out, Catch::Contains("fewer than the header"));
}

TEST_CASE("the llama command refuses bad input with status 2") {
  const auto refused = [](const std::vector<std::string>& words, const std::string& reason) {
    const Ended ended = tandem(words);
    CHECK(ended.status == 2);
    CHECK_THAT(ended.out, Catch::Contains(reason));
  };
  const TemporaryFile short_file("no checkpoint");
  const std::string bad = short_file.path.string();
  refused({"--checkpoint", "no/such/file", "--tokenizer", bad}, "no/such/file");
  refused({"--checkpoint", bad, "--tokenizer", bad}, "fewer than the header");
  if (!at_hand()) return;
  const std::string whole = contents_of(checkpoint);
  const TemporaryFile truncated(whole.substr(0, whole.size() / 2));
  refused({"--checkpoint", truncated.path.string(), "--tokenizer", tokenizer}, "truncated");
  const std::vector<std::string> good{"--checkpoint", checkpoint, "--tokenizer"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), good.begin(), good.end());
    return more;
  };
  refused(with({bad}), "tokenizer, offset");
  refused(with({tokenizer, "--tokens", "513"}), "makes 1 to 512");
  refused(with({tokenizer, "--tokens", "-1"}), "makes 1 to 512");
  refused(with({tokenizer, "--force", bad}), "expected a token number");
  refused(with({tokenizer, "--on", "paper"}), "paper");
  refused(with({tokenizer, "--preset", "huge"}), "no machine 'huge'");
  refused(with({tokenizer, "--program", bad}), "error");
  refused(with({tokenizer, "--program", "benchmarks/scalar/sort.s"}), "tensor");
}

TEST_CASE("the llama command says what a trap of the program means") {
  if (!at_hand()) return;
  const Ended ended =
      tandem({"--checkpoint", checkpoint, "--tokenizer", tokenizer, "--preset", "nano"});
  CHECK(ended.status == 1);
  CHECK_THAT(ended.out, Catch::Contains("more VMEM than this preset has"));
}

TEST_CASE("the llama command stops at a limit with status 1") {
  if (!at_hand()) return;
  for (const std::string limit : {"1", "50000"}) {
    const Ended ended =
        tandem({"--checkpoint", checkpoint, "--tokenizer", tokenizer, "--limit", limit});
    CHECK(ended.status == 1);
    CHECK_THAT(ended.out, Catch::Contains("limit reached: no end after " + limit + " steps"));
  }
}

}  // namespace
}  // namespace tandem::test
