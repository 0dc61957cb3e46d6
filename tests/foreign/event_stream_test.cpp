// Streams of events: the verdicts on recorded runs, with every kind of planted fault, at every
// level, and the handling of streams that are cut, changed or of another kind.
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "assembler/assembler.hpp"
#include "cosim/faults/fault.hpp"
#include "cosim/foreign/check_text.hpp"
#include "cosim/rng.hpp"
#include "tests/cosim/planted_program.hpp"
#include "tests/foreign/recorded.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

Image image_of(const std::string& text) {
  const LinkResult built = build(std::vector{SourceText{"planted.s", text}});
  INFO(diagnostics_text(built.diagnostics));
  REQUIRE(built.ok());
  return make_image(built.program);
}

Image planted_image(const char* ending) { return image_of(std::string(planted_program) + ending); }

Recorded record(const char* ending, const std::optional<Fault>& fault) {
  return record(planted_image(ending), fault);
}

std::string refusal(const Image& image, const std::string& stream) {
  try {
    replay(image, stream);
  } catch (const StreamError& error) {
    return error.message;
  }
  return "";
}

bool needs_trap(CompareField field) {
  return field == CompareField::end_trap_cause || field == CompareField::end_trap_pc ||
         field == CompareField::end_trap_detail;
}

// Without the reading of CSRs that depend on time.
Image timeless_image(const char* ending) {
  std::string text = std::string(planted_program) + ending;
  const std::string csr = "sb: s12 = csr cycles_lo";
  text.replace(text.find(csr), csr.size(), "sb: s12 = mov 5");
  return image_of(text);
}

std::uint32_t word_at(const std::string& stream, std::size_t word) {
  std::uint32_t value = 0;
  std::memcpy(&value, stream.data() + 4 * word, sizeof value);
  return value;
}

struct Meaningless {
  std::uint32_t kind;
  std::uint32_t word;
  unsigned bit;
};
// Issues (1), writes (2) and timing events of issues (6).
constexpr Meaningless meaningless[] = {{1, 4, 17}, {1, 5, 16}, {2, 2, 25},  {6, 1, 24},
                                       {6, 2, 0},  {6, 5, 3},  {6, 11, 17}, {6, 12, 16}};

std::string put_word(std::string stream, std::size_t word, std::uint32_t value) {
  std::memcpy(stream.data() + 4 * word, &value, sizeof value);
  return stream;
}

}  // namespace

TEST_CASE("a recorded run is checked again with the same verdict") {
  for (const auto& [ending, outcome] :
       {std::pair(planted_halt, Outcome::halted), std::pair(planted_trap, Outcome::trapped)}) {
    const Recorded recorded = record(ending, std::nullopt);
    CHECK(recorded.outcome == outcome);
    const auto check = replay(recorded.image, recorded.stream);
    INFO(check_text(*check));
    CHECK(check->outcome() == outcome);
    CHECK(not_compared(check->terms()).empty());
    CHECK(check->runner().events() > 200);
  }
}

TEST_CASE("a fault in any field that lockstep compares is found in the stream of its run") {
  for (const CompareFieldRow& row : compare_fields()) {
    DYNAMIC_SECTION(row.text) {
      const Recorded recorded = record(needs_trap(row.field) ? planted_trap : planted_halt,
                                       Fault{row.field, 13, std::nullopt, std::nullopt});
      REQUIRE(recorded.outcome == Outcome::mismatch);
      REQUIRE(recorded.page["field"] == row.text);
      const auto check = replay(recorded.image, recorded.stream);
      INFO(check_text(*check));
      REQUIRE(check->outcome() == Outcome::mismatch);
      const auto page = nlohmann::json::parse(check->runner().explanation_json());
      for (const char* member : {"field", "sequence", "cycle", "expected", "got", "elements"}) {
        CHECK(page.value(member, nlohmann::json()) ==
              recorded.page.value(member, nlohmann::json()));
      }
    }
  }
}

TEST_CASE("copies alone, and the end alone, are checked where no more is told") {
  const Recorded recorded = record(timeless_image(planted_halt), std::nullopt);
  for (const CheckLevel level : {CheckLevel::copies, CheckLevel::final}) {
    const auto check = replay(recorded.image, recorded.stream, level);
    INFO(check_text(*check));
    CHECK(check->outcome() == Outcome::halted);
    const std::vector<std::string> list = not_compared(check->terms());
    REQUIRE(!list.empty());
    CHECK(list.front() == "bundles and what each writes");
    CHECK((level == CheckLevel::final) == (list.size() > 1 && list[1] == "copies"));
  }
}

TEST_CASE("faults in copies are found at level copies, of the end at level final too") {
  for (const CompareFieldRow& row : compare_fields()) {
    const bool copies = row.text.substr(0, 4) == "copy" && row.field != CompareField::copy_extra;
    const bool end = row.text.substr(0, 6) == "final." || row.field == CompareField::end_status;
    if (!copies && !end) continue;
    DYNAMIC_SECTION(row.text) {
      const Recorded recorded =
          record(timeless_image(planted_halt), Fault{row.field, 0, std::nullopt, std::nullopt});
      REQUIRE(recorded.outcome == Outcome::mismatch);
      const auto at_copies = replay(recorded.image, recorded.stream, CheckLevel::copies);
      INFO(check_text(*at_copies));
      REQUIRE(at_copies->outcome() == Outcome::mismatch);
      const auto page = nlohmann::json::parse(at_copies->runner().explanation_json());
      // A missing copy shows first at its completion.
      const bool missing = row.field == CompareField::copy_missing;
      CHECK(page["field"] == (missing ? "copy_done.extra" : row.text));
      if (!end) continue;
      CHECK(replay(recorded.image, recorded.stream, CheckLevel::final)->outcome() ==
            Outcome::mismatch);
    }
  }
}

TEST_CASE("where golden cannot go on by itself there is no verdict") {
  const Recorded recorded = record(planted_halt, std::nullopt);
  const auto check = replay(recorded.image, recorded.stream, CheckLevel::final);
  CHECK(check->outcome() == Outcome::running);
  CHECK(check->terms().undecided.find("depends on time") != std::string::npos);
  const Image timeless = timeless_image(planted_halt);
  const auto limited =
      replay(timeless, record(timeless, std::nullopt).stream, CheckLevel::final, 20);
  CHECK(limited->outcome() == Outcome::running);
  CHECK(limited->terms().undecided == "the program has not ended after 20 bundles");
}

TEST_CASE("streams that are cut, changed or none are refused with a reason") {
  const Recorded recorded = record(planted_halt, std::nullopt);
  const std::string& stream = recorded.stream;
  CHECK(refusal(recorded.image, "").find("truncated: it ends after 0 bytes") == 0);
  CHECK(refusal(recorded.image, "no stream at all").find("does not begin with TANDEMEV") !=
        std::string::npos);
  CHECK(refusal(recorded.image, put_word(stream, 2, 7)) ==
        "byte 0: the stream is of version 7, this program reads version 1");
  CHECK(refusal(recorded.image, put_word(stream, 5, 9)).find("level 9") != std::string::npos);
  CHECK(refusal(recorded.image, put_word(stream, 19, 1000)).find("a header of") !=
        std::string::npos);
  CHECK(refusal(recorded.image, stream + "x").find("something follows the end") !=
        std::string::npos);
  for (std::size_t size = 0; size < stream.size(); size += 1 + stream.size() / 200) {
    CHECK(refusal(recorded.image, stream.substr(0, size)).find("truncated") != std::string::npos);
  }
}

TEST_CASE("bits that mean nothing are refused in every record") {
  const Recorded recorded = record(planted_halt, std::nullopt);
  std::string stream = recorded.stream;
  stream[stream.size() - 8] = static_cast<char>(end_stopped | end_hbm_whole);  // no checksum
  REQUIRE(refusal(recorded.image, stream).empty());
  CHECK(refusal(recorded.image, put_word(stream, 6, 2)).find("flags 0x2") != std::string::npos);
  // Of each kind of record: the word after its first, and the lowest bit that has no meaning.
  std::set<std::uint32_t> kinds;
  for (std::size_t at = word_at(stream, 3); 4 * at < stream.size();) {
    const std::uint32_t head = word_at(stream, at);
    const std::uint32_t kind = head & 0xffU;
    for (const auto& [of, word, bit] : meaningless) {
      const bool other = kind != of || (of == 6 && word_at(stream, at + 1) % 256 != 0);
      if (other || !kinds.insert(100 * of + word).second) continue;
      CAPTURE(of, word);
      const std::uint32_t value = word_at(stream, at + word) | 1U << bit;
      CHECK(refusal(recorded.image, put_word(stream, at + word, value)).find("mean nothing") !=
            std::string::npos);
    }
    at += 1 + (head >> 8U);
  }
  CHECK(kinds.count(104) == 1);
  CHECK(kinds.count(202) == 1);
}

TEST_CASE("of a stream with any bit changed no verdict is taken") {
  const Recorded recorded = record(planted_halt, std::nullopt);
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    std::string stream = recorded.stream;
    const std::size_t at = 80 + rng.below(static_cast<std::uint32_t>(stream.size() - 80));
    stream[at] = static_cast<char>(stream[at] ^ (1 << rng.below(8)));
    CAPTURE(at);
    CHECK(!refusal(recorded.image, stream).empty());
  }
}

TEST_CASE("streams that are changed without their checksum end in a verdict or a reason") {
  const Recorded recorded = record(planted_halt, std::nullopt);
  const std::size_t end = recorded.stream.size() - 8;
  Rng rng(11);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string stream = recorded.stream;
    stream[end] = static_cast<char>(stream[end] & ~static_cast<char>(end_checksum));
    for (std::uint32_t count = 1 + rng.below(4); count != 0; --count) {
      // Most of a stream is the state at its end; half of the changes are in the part before it.
      const auto most = static_cast<std::uint32_t>(rng.below(2) == 0 ? stream.size() : 16'000);
      stream[rng.below(most)] = static_cast<char>(rng.below(256));
    }
    if (!refusal(recorded.image, stream).empty()) ++refused;
  }
  CHECK(refused > 100);
  CHECK(refused < 3000);
}
