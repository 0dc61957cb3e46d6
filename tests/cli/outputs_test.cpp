// Outputs of a command: complete or not written at all, and never over its inputs.
#include <fmt/format.h>
#include <sys/stat.h>

#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* program = R"(
        .target nano
        { s1 = mov 5 }
        { halt }
)";

// An output that is as its input was.
constexpr const char* copy = R"(
        .target nano
        .tensor x, f32, [n], in
        .tensor y, f32, [n], out, shares x
        .tensor z, f32, [n], out, shares x
        { halt }
)";

// Runs with files limited to this many KiB: to a command that is like a full disk.
Output on_full_disk(const Folder& folder, const std::string& arguments, int most = 1) {
  folder.write("line.sh", fmt::format("ulimit -f {}\n{} {}\n", most, TANDEM_EXECUTABLE, arguments));
  return folder.run("--version > /dev/null; timeout 60 bash line.sh");
}

std::size_t count_files(const Folder& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("."))) {
    count += entry.path().filename().string().starts_with(".tandem") ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("an output is no input of the same command, whatever it is called") {
  const Folder folder;
  folder.write("k.s", program);
  folder.write("inner.s", program);
  folder.write("outer.s", "        .include \"inner.s\"\n");
  folder.write("data.s", "        .data\n        .incbin \"k.s\"\n        .text\n        halt\n");
  folder.shell("ln -s k.s link.s; ln k.s hard.s; mkdir d");
  for (const std::string command :
       {"asm k.s -o k.s", "asm k.s -o ./d/../k.s", "asm k.s -o link.s", "asm k.s -o hard.s",
        "asm link.s -o k.s", "asm outer.s -o inner.s", "asm data.s -o k.s", "dis k.elf -o k.elf",
        "report k.s -o k.s", "run k.s --on cycle --trace k.s",
        "run k.s --on cycle --pipeline k.s"}) {
    INFO(command);
    if (command.starts_with("dis")) CHECK(folder.run("asm k.s -o k.elf").status == 0);
    const std::string elf = folder.read("k.elf");
    check_refused(folder.run(command), 2, "is an input of this command");
    CHECK(folder.read("k.s") == program);
    CHECK(folder.read("inner.s") == program);
    CHECK(folder.read("k.elf") == elf);
  }
}

TEST_CASE("an output is not the file of the machine") {
  const Folder folder;
  const std::string machine = "preset = \"small\"\nvmem = \"512KiB\"\n";
  folder.write("k.s", program);
  folder.write("mine.toml", machine);
  for (const std::string command :
       {"asm k.s --preset mine.toml -o mine.toml", "report k.s --preset mine.toml -o mine.toml",
        "run k.s --preset mine.toml --on cycle --trace mine.toml"}) {
    INFO(command);
    check_refused(folder.run(command), 2, "is an input of this command");
    CHECK(folder.read("mine.toml") == machine);
  }
}

TEST_CASE("tensors do not go over the program, an input or each other") {
  const Folder folder;
  folder.write("copy.s", copy);
  folder.write_floats("x.npy", {4});
  const std::string run = "run copy.s --in x=x.npy ";
  check_refused(folder.run(run + "--out y=copy.s"), 2, "is an input");
  check_refused(folder.run(run + "--out y=x.npy"), 2, "is an input");
  check_refused(folder.run(run + "--out y=o.npy --out z=./o.npy"), 2, "two outputs");
  check_refused(folder.run(run + "--out y=- --json"), 2, "standard output: two outputs");
  check_refused(folder.run(run + "--on cycle --trace o.npy --out y=o.npy"), 2, "two outputs");
  CHECK(folder.run(run + "--out y=/dev/null --out z=/dev/null").status == 0);
  CHECK(folder.run(run + "--out y=o.npy --out z=p.npy").status == 0);
  CHECK(folder.read("o.npy") == folder.read("x.npy"));
}

TEST_CASE("what is no program does not go under the name of one") {
  const Folder folder;
  folder.write("k.s", program);
  CHECK(folder.run("asm k.s -o k.elf").status == 0);
  CHECK(folder.run("asm -c k.s -o k.o").status == 0);
  CHECK(folder.run("random --seed 1 --preset nano -o r.elf").status == 0);
  folder.shell("cp k.elf x.elf; cp k.elf x.o");
  const std::string old = folder.read("x.elf");
  for (const std::string command :
       {"dis k.elf -o x.elf", "dis k.elf -o x.o", "asm k.s -o y.elf --report x.elf",
        "random --seed 1 --preset nano --text -o x.elf", "report k.s -o x.elf",
        "run k.s --on cycle --trace x.elf", "npy make x.elf --shape 4"}) {
    INFO(command);
    check_refused(folder.run(command), 2, "is the ending of programs");
    CHECK(folder.read("x.elf") == old);
    CHECK(folder.read("x.o") == old);
  }
}

TEST_CASE("a full disk leaves the old file") {
  const Folder folder;
  std::string big = ".target nano\n";
  for (int i = 0; i < 100; ++i) big += "s1 = mov 5\n";
  folder.write("big.s", big + "halt\n");
  CHECK(folder.run("asm big.s -o big.elf").status == 0);
  for (const auto& [command, file] :
       {std::pair{"asm big.s -o old", "old"}, std::pair{"dis big.elf -o old", "old"},
        std::pair{"npy make old --shape 1000", "old"}, std::pair{"report big.s -o old", "old"},
        std::pair{"run --on cycle big.s --trace old", "old"},
        std::pair{"run --on cycle big.s --pipeline old", "old"}}) {
    folder.write(file, "what was there");
    const Output output = on_full_disk(folder, command);
    INFO(command);
    INFO(output.text);
    CHECK(output.status == 2);
    CHECK(contains(output.text, "cannot write: File too large"));
    CHECK(folder.read(file) == "what was there");
    CHECK(count_files(folder) == 0);
  }
}

TEST_CASE("pages, reports, snapshots and coverage keep their old file on a full disk") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", program);
  folder.write("c.toml", "name = \"c\"\nseeds = 1\npresets = [\"nano\"]\n");
  CHECK(folder.run("lockstep --preset nano --random 1 --coverage c.json").status == 0);
  CHECK(folder.run("regress c.toml -j1").status == 0);
  for (const std::string command :
       {"random --text -o old", "run k.s --snapshot old --snapshot-at 1",
        "regress c.toml --html old", "lockstep --preset nano --random 1 --coverage old",
        "coverage c.json -o old", "coverage c.json --html old",
        "shrink --preset nano --random --plant write.data@30 -o old"}) {
    folder.write("old", "what was there");
    const Output output = on_full_disk(folder, command, 0);
    INFO(command);
    INFO(output.text);
    CHECK(output.status == 2);
    CHECK(contains(output.text, "cannot write: File too large"));
    CHECK(folder.read("old") == "what was there");
    CHECK(count_files(folder) == 0);
  }
}

TEST_CASE("snapshots, shrunk programs, campaigns and coverage do not go over an input") {
  if (!has_nano()) return;
  const Folder folder;
  const std::string campaign = "name = \"c\"\nseeds = 1\npresets = [\"nano\"]\n";
  folder.write("k.s", program);
  folder.write("c.toml", campaign);
  CHECK(folder.run("lockstep --preset nano --random 1 --coverage c.json").status == 0);
  const std::string coverage = folder.read("c.json");
  folder.shell("ln -s k.s link.s; ln k.s hard.s; ln -s c.toml link.toml; ln c.json hard.json");
  for (const std::string command :
       {"run k.s --snapshot link.s --snapshot-at 1",
        "lockstep k.s --snapshot hard.s --snapshot-at 1",
        "shrink k.s --plant write.data@0 -o link.s", "report k.s -o p.html --data link.s",
        "explore k.s -o link.s", "coverage c.json --lcov ./c.json",
        "coverage c.json --ucis ./c.json", "regress c.toml --junit link.toml",
        "regress link.toml --html c.toml", "coverage c.json -o hard.json",
        "coverage c.json --html ./c.json"}) {
    INFO(command);
    check_refused(folder.run(command), 2, "is an input of this command");
  }
  for (const std::string command :
       {"report k.s -o a --data ./a", "regress c.toml --junit a --html ./a",
        "coverage c.json -o a --html ./a"}) {
    INFO(command);
    check_refused(folder.run(command), 2, "two outputs of this command");
  }
  CHECK(folder.read("k.s") == program);
  CHECK(folder.read("c.toml") == campaign);
  CHECK(folder.read("c.json") == coverage);
}

TEST_CASE("links and modes stay, devices are written to, folders are refused") {
  const Folder folder;
  folder.write("k.s", program);
  folder.write("old", "what was there");
  folder.shell("chmod 640 old; ln -s old link; mkdir d; ln -s nowhere.elf dangling");
  CHECK(folder.run("asm k.s -o link").status == 0);
  CHECK(std::filesystem::is_symlink(folder.path("link")));
  CHECK(folder.read("old").substr(1, 3) == "ELF");
  struct stat status {};
  REQUIRE(stat(folder.path("old").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0640U);
  CHECK(folder.run("asm k.s -o dangling").status == 0);
  CHECK(folder.read("nowhere.elf") == folder.read("old"));
  CHECK(folder.run("asm k.s -o /dev/null").status == 0);
  CHECK(std::filesystem::is_character_file("/dev/null"));
  check_refused(folder.run("asm k.s -o d"), 2, "is a directory");
  check_refused(folder.run("asm k.s -o nowhere/k.elf"), 2, "No such file or directory");
  check_refused(folder.run("asm k.s -o /dev/full"), 2, "No space left on device");
  CHECK(folder.run("asm k.s -o /dev/stdout > through").status == 0);
  CHECK(folder.read("through") == folder.read("old"));
}

TEST_CASE("a waveform goes beside the old file and no device is one") {
  if (!has_nano() || wave_presets().empty()) {
    WARN("SKIPPED: this build writes no waveforms");
    return;
  }
  const Folder folder;
  folder.write("k.s", program);
  check_refused(folder.run("run --on rtl k.s --wave /dev/null"), 2, "needs a file");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  folder.write("old.fst", "what was there");
  folder.shell("ln -s old.fst link.fst");
  CHECK(folder.run("run --on rtl k.s --wave link.fst").status == 0);
  CHECK(std::filesystem::is_symlink(folder.path("link.fst")));
  CHECK(folder.read("old.fst").size() > 100);
  CHECK(count_files(folder) == 0);
}

// Waveforms are written through a mapping of the file: where the disk has no room, the writer gets
// a signal and no error. Only a disk shows that, so the test makes one of 128 KiB.
TEST_CASE("a waveform that finds no room leaves the old file") {
  if (!has_nano() || wave_presets().empty()) {
    WARN("SKIPPED: this build writes no waveforms");
    return;
  }
  const Folder folder;
  folder.write("k.s", program);
  folder.shell("mkdir disk; mount -t tmpfs -o size=128k tmpfs disk 2> refused; echo $? > status");
  if (folder.read("status") != "0\n") {
    WARN("SKIPPED: making a small disk needs root: " << folder.read("refused"));
    return;
  }
  // Full from the beginning, and full while it is written.
  for (const char* blocks : {"1000", "28"}) {
    folder.shell(
        std::string("printf before > disk/old.fst; dd if=/dev/zero of=disk/fill bs=4k count=") +
        blocks + " 2> /dev/null");
    const Output output = folder.run("run --on rtl k.s --wave disk/old.fst");
    INFO(blocks);
    INFO(output.text);
    CHECK(output.status == 2);
    CHECK(contains(output.text, "the disk is full"));
    CHECK(folder.read("disk/old.fst") == "before");
    folder.shell("rm disk/fill; ls -A disk > left");
    CHECK(folder.read("left") == "old.fst\n");
  }
  folder.shell("umount disk");
}
