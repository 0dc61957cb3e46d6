// Snapshots as files: a restored run continues as if nothing had happened; what is damaged or of
// another run is refused with its reason.
#include <catch2/catch.hpp>

#include "runtime/snapshot/build_identity.hpp"
#include "runtime/snapshot/snapshot.hpp"
#include "tests/runtime/support.hpp"

using namespace tandem::runtime;  // NOLINT: a test file

namespace tandem::test {
namespace {

// y = x + 1, tile by tile, with copies both ways.
std::map<std::string, TensorData> data(std::int32_t first = 0, std::int64_t lanes = 8) {
  std::vector<std::int32_t> values(8 * static_cast<std::size_t>(lanes));
  for (std::int32_t& value : values) value = first++;
  return {{"x", {{8, lanes}, bytes_of(values)}}};
}

struct Job {
  explicit Job(Model model, const std::string& preset = "nano", DeviceOptions options = {},
               std::int32_t first = 0)
      : launch((options.model = model, options.hbm_bytes = 1U << 24U, options),
               read_program(assembled(add_one_program(), preset)),
               data(first, find_preset(preset)->lanes)),
        run(launch.start({})) {}

  NamedLaunch launch;
  std::unique_ptr<Run> run;
};

std::string refusal(Job& job, std::span<const std::uint8_t> file) {
  try {
    restore_snapshot(job.launch, *job.run, file);
  } catch (const SnapshotError& error) {
    return error.what();
  }
  return "taken";
}

std::vector<std::uint8_t> snapshot_of(Model model) {
  Job job(model);
  REQUIRE(job.run->advance(3) == Outcome::running);
  return save_snapshot(job.launch, *job.run);
}

bool begins(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

}  // namespace

TEST_CASE("a snapshot restored in another device goes on to the same results") {
  for (const Model model : {Model::golden, Model::cycle, Model::rtl, Model::lockstep}) {
    if (!is_fast(model) && !has_rtl("nano")) continue;
    INFO(model_name(model));
    const std::vector<std::uint8_t> file = snapshot_of(model);
    Job again(model);
    restore_snapshot(again.launch, *again.run, file);
    CHECK((model == Model::golden ? again.run->runner().bundles() : again.run->runner().cycles()) ==
          3);
    REQUIRE(again.run->advance(100'000) == Outcome::halted);
    Job whole(model);
    REQUIRE(whole.run->advance(100'000) == Outcome::halted);
    CHECK(again.run->runner().bundles() == whole.run->runner().bundles());
    CHECK(again.run->runner().cycles() == whole.run->runner().cycles());
    CHECK(again.launch.read("y").bytes == whole.launch.read("y").bytes);
  }
}

TEST_CASE("a snapshot with any bit changed is refused") {
  const std::vector<std::uint8_t> file = snapshot_of(Model::golden);
  Job job(Model::golden);
  const std::size_t step = 1 + file.size() / 400;
  for (std::size_t at = 0; at < file.size(); at += at < 600 ? 1 : step) {
    std::vector<std::uint8_t> damaged = file;
    damaged[at] ^= static_cast<std::uint8_t>(1U << (at % 8));
    INFO("byte " << at);
    CHECK(refusal(job, damaged) != "taken");
  }
  CHECK(refusal(job, file) == "taken");
}

TEST_CASE("a snapshot that was cut off or grew is refused, and so is what is none") {
  const std::vector<std::uint8_t> file = snapshot_of(Model::golden);
  Job job(Model::golden);
  for (std::size_t bytes = 0; bytes < file.size();
       bytes += bytes < 300 ? 1 : 1 + file.size() / 97) {
    INFO(bytes);
    const std::string reason = refusal(job, std::span(file).first(bytes));
    CHECK(begins(reason, bytes == 0 ? "this is no snapshot" : "the snapshot is damaged: it has"));
  }
  std::vector<std::uint8_t> longer = file;
  longer.push_back(0);
  CHECK(begins(refusal(job, longer), "the snapshot is damaged: it has"));
  CHECK(begins(refusal(job, assembled(add_one_program())), "this is no snapshot"));
}

TEST_CASE("damage has its reason") {
  const std::vector<std::uint8_t> file = snapshot_of(Model::golden);
  Job job(Model::golden);
  std::vector<std::uint8_t> damaged = file;
  damaged[file.size() / 2] ^= 4;
  CHECK(refusal(job, damaged) == "the snapshot is damaged: its bytes do not fit its checksum");
  damaged = file;
  damaged[8] = 9;
  CHECK(refusal(job, damaged) == "a snapshot of format 9; this program reads format 1");
}

TEST_CASE("a snapshot of another run is refused and says whose it is") {
  const std::vector<std::uint8_t> file = snapshot_of(Model::golden);
  const auto reason = [&file](Job&& job) { return refusal(job, file); };
  CHECK(reason(Job(Model::cycle)) ==
        "the snapshot is of another model: it says 'golden', here it is 'cycle'");
  CHECK(reason(Job(Model::golden, "small")) ==
        "the snapshot is of another preset: it says 'nano', here it is 'small'");
  CHECK(begins(reason(Job(Model::golden, "nano", {}, 5)),
               "the snapshot is of another input data: it says"));
  DeviceOptions options;
  options.seed = 7;
  CHECK(reason(Job(Model::golden, "nano", options)) ==
        "the snapshot is of another seed: it says '1', here it is '7'");
  options = {};
  options.detect_races = false;
  CHECK(reason(Job(Model::golden, "nano", options)) ==
        "the snapshot is of another race check: it says 'on', here it is 'off'");
  NamedLaunch other({}, read_program(assembled(clean_program())), {});
  const auto run = other.start({});
  try {
    restore_snapshot(other, *run, file);
    FAIL("taken");
  } catch (const SnapshotError& error) {
    CHECK(begins(error.what(), "the snapshot is of another program: it says"));
  }
}

TEST_CASE("a snapshot of another build, or of a run with less to it, is refused") {
  Job job(Model::golden);
  Identity identity = snapshot_identity(job.launch, *job.run);
  std::ranges::find(identity, "build", &IdentityEntry::what)->value = "0123";
  std::vector<std::uint8_t> file = begin_snapshot(identity);
  seal_snapshot(file);
  CHECK(begins(refusal(job, file), "the snapshot is of another build: it says '0123', here it is"));
  std::erase_if(identity, [](const IdentityEntry& entry) { return entry.what == "build"; });
  file = begin_snapshot(identity);
  seal_snapshot(file);
  CHECK(refusal(job, file) ==
        "the snapshot is of another kind of run: it says nothing of the build");
}

TEST_CASE("a library and an executable are of different builds, each of its own") {
  const std::string library = build_identity(reinterpret_cast<const void*>(&save_snapshot));
  const std::string test = build_identity(reinterpret_cast<const void*>(&snapshot_of));
  CHECK_FALSE(library.empty());
  CHECK_FALSE(test.empty());
  CHECK(library != test);
}

TEST_CASE("a state that ends early, goes on, or cannot be is refused") {
  Job job(Model::golden);
  const std::vector<std::uint8_t> file = snapshot_of(Model::golden);
  const auto state = open_snapshot(file, snapshot_identity(job.launch, *job.run));
  const auto with_state = [&job](std::vector<std::uint8_t> bytes) {
    std::vector<std::uint8_t> made = begin_snapshot(snapshot_identity(job.launch, *job.run));
    made.insert(made.end(), bytes.begin(), bytes.end());
    seal_snapshot(made);
    return refusal(job, made);
  };
  std::vector<std::uint8_t> bytes(state.begin(), state.end());
  CHECK(with_state(bytes) == "taken");
  bytes.push_back(0);
  CHECK(with_state(bytes) == "the snapshot's state continues for 1 bytes after its end");
  bytes.resize(bytes.size() - 2);
  CHECK(with_state(bytes) == "the snapshot's state ends too early");
  bytes.assign(state.begin(), state.end());
  bytes[0] ^= 1;  // of the size of HBM
  CHECK(with_state(bytes) == "the snapshot has the impossible value 16777217 for the size of HBM");
}

TEST_CASE("an RTL run with records of bundles cannot be saved") {
  if (!has_rtl("nano")) return;
  DeviceOptions options;
  options.model = Model::rtl;
  NamedLaunch job(options, read_program(assembled(add_one_program())), data());
  const auto run = job.start({nullptr, [](const RetireRecord&) {}});
  run->advance(3);
  CHECK_THROWS_WITH(save_snapshot(job, *run),
                    "records of bundles that are under way are not saved: leave the listing out");
}

}  // namespace tandem::test
