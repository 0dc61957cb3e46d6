// The executable itself: its output streams and its exit status. Every kind of bad input ends in a
// diagnostic and status 1 or 2, none in a crash or a hang.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// Declares tensors and leaves them alone.
constexpr const char* tensors = R"(
        .target nano
        .tensor x, f32, [n], in
        .tensor y, f32, [n], out
        { s1 = csr arg_lo }
        { halt }
)";

}  // namespace

TEST_CASE("every subcommand explains itself with an example") {
  const Folder folder;
  CHECK(folder.run("--help").status == 0);
  const Output version = folder.run("--version");
  check_refused(version, 0, "tandem ");
  CHECK(contains(version.text, "\ncommit: "));
  CHECK(contains(version.text, "\ninstruction set: encoding "));
  for (const char* name :
       {"asm", "dis", "run", "lockstep", "llama", "random", "shrink", "coverage"}) {
    const Output output = folder.run(std::string(name) + " --help");
    INFO(name);
    CHECK(output.status == 0);
    CHECK(contains(output.text, "Example"));
    CHECK(contains(output.text, std::string("tandem ") + name));
  }
}

TEST_CASE("a program runs and tells how it ended") {
  const Folder folder;
  folder.write("k.s", count_down);
  const Output output = folder.run("run k.s");
  CHECK(output.status == 0);
  CHECK(contains(output.text, "12 bundles"));
  const Output json = folder.run("run k.s --json");
  CHECK(json.status == 0);
  const nlohmann::json result = nlohmann::json::parse(json.text);
  CHECK(result["outcome"] == "halted");
  CHECK(result["bundles"] == 12);
}

TEST_CASE("a listing shows every bundle with its writes and source line") {
  const Folder folder;
  folder.write("k.s", count_down);
  const Output output = folder.run("run k.s --listing");
  CHECK(contains(output.text, "k.s:3  { sa: s1 = mov 5 }"));
  CHECK(contains(output.text, "s1 = 00000005"));
  CHECK(contains(output.text, "p1 = 00000000"));
}

TEST_CASE("text goes to a binary and back to the same bytes through pipes") {
  const Folder folder;
  folder.write("k.s", count_down);
  CHECK(folder.run("asm k.s -o k.elf").status == 0);
  CHECK(folder.run("dis k.elf > again.s").status == 0);
  CHECK(folder.run("asm - > again.elf", "cat again.s |").status == 0);
  CHECK(!folder.read("k.elf").empty());
  CHECK(folder.read("k.elf") == folder.read("again.elf"));
  CHECK(folder.run("run k.elf").status == 0);
}

TEST_CASE("objects are assembled apart and linked") {
  const Folder folder;
  folder.write("a.s", "        .target nano\n        .extern there\n        { br there }\n");
  folder.write("b.s", "        .target nano\n        .global there\nthere:  { halt }\n");
  CHECK(folder.run("asm -c a.s b.s").status == 0);
  CHECK(folder.run("asm a.o b.o -o p.elf").status == 0);
  CHECK(folder.run("run p.elf").status == 0);
  CHECK(folder.run("run a.s b.s").status == 0);
  check_refused(folder.run("run a.s"), 2, "there");
}

TEST_CASE("mistakes in usage end with status 2") {
  const Folder folder;
  folder.write("k.s", count_down);
  check_refused(folder.run(""), 2, "subcommand");
  check_refused(folder.run("frobnicate"), 2, "unknown subcommand 'frobnicate'; there are asm, dis");
  check_refused(folder.run("run k.s --json --listing"), 2, "choose one");
  check_refused(folder.run("run k.s --counters"), 2, "--on cycle or rtl");
  folder.write("x.bin", std::string("abc\0def", 7));
  check_refused(folder.run("run x.bin"), 2,
                "neither a program (ELF) nor text: byte 0x00 at offset 0x3");
  check_refused(folder.run("run"), 2, "program");
  check_refused(folder.run("run k.s --bogus"), 2, "bogus");
  check_refused(folder.run("run nothere.s"), 2, "nothere.s: cannot open");
  check_refused(folder.run("run ."), 2, "is a directory");
  check_refused(folder.run("run k.s --on moon"), 2, "golden, cycle or rtl");
  check_refused(folder.run("run k.s --preset tiny"), 2,
                "there is no machine 'tiny'; machines are nano, small, edge, full, or sizes as");
  check_refused(folder.run("run k.s --hbm 4X"), 2, "not a size");
  check_refused(folder.run("run k.s --hbm 999999T"), 2, "above 256T");
  check_refused(folder.run("run k.s --hbm 4K"), 2, "HBM");
  check_refused(folder.run("run k.s --in x"), 2, "NAME=FILE");
  check_refused(folder.run("run k.s --in x=a.npy --in x=b.npy"), 2, "twice");
  check_refused(folder.run("run k.s --in x=a.npy y=b.npy"), 2, "did you mean --in y=b.npy?");
  check_refused(folder.run("run k.s --out x=a.npy"), 2, "no tensor 'x'");
  check_refused(folder.run("lockstep"), 2, "either a program or --random");
  check_refused(folder.run("lockstep k.s --plant nonsense"), 2, "write.data");
  check_refused(folder.run("lockstep k.s --models golden"), 2, "golden,cycle, not");
  check_refused(folder.run("lockstep k.s --models golden,verilog"), 2, "not 'golden,verilog'");
}

TEST_CASE("broken text gives all its errors with places") {
  const Folder folder;
  folder.write("bad.s",
               "        .target nano\n        { s1 = bogus s2 }\n        { v99 = vmov v1 }\n");
  const Output output = folder.run("asm bad.s");
  CHECK(output.status == 2);
  CHECK(contains(output.text, "bad.s:2:"));
  CHECK(contains(output.text, "bad.s:3:"));
  CHECK(contains(output.text, "^"));
  CHECK(contains(output.text, "2 errors"));
}

TEST_CASE("a binary cut off or damaged anywhere never crashes the tool") {
  const Folder folder;
  folder.write("k.s", count_down);
  REQUIRE(folder.run("asm k.s -o k.elf").status == 0);
  const std::string good = folder.read("k.elf");
  for (std::size_t at = 0; at < good.size(); at += good.size() / 40 + 1) {
    folder.write("bad.elf", good.substr(0, at));
    CHECK(folder.run("run bad.elf").status == 2);
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    folder.write("bad.elf", damaged);
    const int status = folder.run("run bad.elf --limit 1000").status;
    INFO("byte " << at);
    CHECK((status == 0 || status == 1 || status == 2));
  }
}

TEST_CASE("a binary for another preset is refused by name") {
  const Folder folder;
  folder.write("k.s", count_down);
  REQUIRE(folder.run("asm k.s -o k.elf").status == 0);
  const Output output = folder.run("run k.elf --preset small");
  check_refused(output, 2, "`nano` (lanes 8)");
  CHECK(contains(output.text, "`small` (lanes 16)"));
  CHECK(folder.run("run k.s --preset small").status == 0);  // text is retargeted
}

TEST_CASE("missing and misshapen tensors are refused") {
  const Folder folder;
  folder.write("k.s", tensors);
  folder.write_floats("x.npy", {4});
  folder.write_floats("flat.npy", {2, 2});
  folder.write("junk.npy", "hello");
  check_refused(folder.run("run k.s"), 2, "'x' is an input and needs data");
  check_refused(folder.run("run k.s --in x=gone.npy"), 2, "gone.npy: cannot open");
  check_refused(folder.run("run k.s --in x=flat.npy"), 2, "its data has 2");
  check_refused(folder.run("run k.s --in x=junk.npy"), 2, "not an .npy file");
  check_refused(folder.run("run k.s --in x=x.npy --out x=o.npy"), 2, "not an output");
  check_refused(folder.run("run k.s --in x=x.npy --in y=x.npy"), 2, "'y' is an output");
  const Output output = folder.run("run k.s --no-uninitialised-check --in x=x.npy --out y=y.npy");
  INFO(output.text);
  CHECK(output.status == 0);
  CHECK(folder.read("y.npy").size() == 128 + 16);
  check_refused(folder.run("run k.s --no-uninitialised-check --in x=x.npy --out y=/nowhere/y.npy"),
                2, "cannot create");
}

TEST_CASE("programs that go wrong end with status 1 and a reason") {
  const Folder folder;
  folder.write("loop.s", "        .target nano\nx:      { br x }\n");
  check_refused(folder.run("run loop.s --limit 1000"), 1, "limit reached");
  folder.write("trap.s", "        .target nano\n        { trap 42 }\n        { halt }\n");
  check_refused(folder.run("run trap.s"), 1, "explicit_trap in slot sa, detail 0x2a");
  folder.write("range.s",
               "        .target nano\n        { v1 = vld [s0 - 1] }\n        { halt }\n");
  check_refused(folder.run("run range.s"), 1, "address_range in slot ld");
  folder.write("dead.s", "        .target nano\n        { wait f3, 1 }\n        { halt }\n");
  check_refused(folder.run("run dead.s"), 1, "deadlock in slot dma, detail 0x3");
  check_refused(folder.run("run dead.s"), 1, "f3 holds 0, the wait wants 1");
  folder.write("new.s",
               "        .target nano\n        { v2 = vadd.f32 v1, v1 }\n        { halt }\n");
  check_refused(folder.run("run new.s"), 1, "never-written");
  CHECK(folder.run("run new.s --no-uninitialised-check").status == 0);
  const Output json = folder.run("run trap.s --json");
  CHECK(json.status == 1);
  CHECK(nlohmann::json::parse(json.text)["trap"]["detail"] == 42);
}

TEST_CASE("lockstep agrees and shows a planted fault") {
  if (!has_nano()) return;
  const Folder folder;
  folder.write("k.s", count_down);
  const Output good = folder.run("lockstep k.s");
  INFO(good.text);
  CHECK(good.status == 0);
  CHECK(folder.run("run --on rtl k.s").status == 0);
  const Output bad = folder.run("lockstep k.s --plant write.data@3");
  CHECK(bad.status == 1);
  for (const char* part : {"MISMATCH in write.data", "bundle 3", "expected", "k.s:4",
                           "last bundles", "repeat with", "--plant write.data@3"}) {
    INFO(bad.text);
    CHECK(contains(bad.text, part));
  }
  const Output json = folder.run("lockstep k.s --plant issue.pc@2 --json");
  CHECK(json.status == 1);
  CHECK(nlohmann::json::parse(json.text)["report"]["field"] == "issue.pc");
  folder.write("loop.s", "        .target nano\nx:      { br x }\n");
  check_refused(folder.run("lockstep loop.s --limit 5000"), 1, "limit reached");
  folder.write("dead.s", "        .target nano\n        { wait f3, 1 }\n        { halt }\n");
  check_refused(folder.run("lockstep dead.s"), 1, "deadlock");
}

TEST_CASE("lockstep compares the models it is told to, on presets without RTL too") {
  const Folder folder;
  folder.write("k.s", count_down);
  folder.write("full.s", "        .target full\n        { s1 = mov 5 }\n        { halt }\n");
  CHECK(folder.run("lockstep full.s --models golden,cycle").status == 0);
  const Output bad = folder.run("lockstep k.s --models golden,cycle --plant write.data@3 --json");
  CHECK(bad.status == 1);
  CHECK(nlohmann::json::parse(bad.text)["report"]["got_model"] == "cycle");
  if (!has_nano()) return;
  const Output late = folder.run("lockstep k.s --plant timing.issue@2");
  CHECK(late.status == 1);
  for (const char* part :
       {"MISMATCH in timing.issue", "bundle 2", "(cycle)", "(rtl)", "lost before", "repeat with"}) {
    INFO(late.text);
    CHECK(contains(late.text, part));
  }
  CHECK(folder.run("lockstep --models rtl,golden k.s").status == 0);
}

TEST_CASE("the Llama finds its program and model from any folder") {
  const Folder folder;
  const Output output = folder.run("llama --tokens 3");
  INFO(output.text);
  CHECK(output.status == 0);
  CHECK(contains(output.text, "3 tokens"));
  CHECK(folder.run("llama --tokens 3 --program llama.s").status == 2);
}

TEST_CASE("random lockstep refuses options that it would not look at") {
  const Folder folder;
  for (const char* option : {"--outstanding 5", "--jitter 5", "--limit 10", "--listing"}) {
    INFO(option);
    check_refused(folder.run(std::string("lockstep --random 1 --preset nano ") + option), 2,
                  "is for a program");
  }
}

TEST_CASE("random lockstep from the command line counts what it did") {
  if (!has_nano()) return;
  const Folder folder;
  const Output output = folder.run("lockstep --random 5 --seed 1 --preset nano --json");
  INFO(output.text);
  CHECK(output.status == 0);
  const nlohmann::json result = nlohmann::json::parse(output.text);
  CHECK(result["machines"] == 5);
  CHECK(result["programs"] >= 5);
  CHECK(result["passed"] == true);
  CHECK(result["bundles"] > 100);
}

TEST_CASE("a random program comes as a file or as text that assembles to it, and runs") {
  const Folder folder;
  const std::string program = "random --seed 7 --preset nano --knob illegal=0 ";
  CHECK(folder.run(program + "-o a.elf").status == 0);
  CHECK(folder.run(program + "--text -o a.s").status == 0);
  CHECK(folder.run("asm a.s -o b.elf").status == 0);
  CHECK(folder.read("a.elf") == folder.read("b.elf"));
  CHECK(folder.run("run a.elf --no-uninitialised-check --hbm 8G").status == 0);
}

TEST_CASE("a knob that is none, or not of a file, is refused") {
  const Folder folder;
  check_refused(folder.run("random -o a.elf --knob densty=3"), 2, "no knob is called 'densty'");
  check_refused(folder.run("random -o a.elf --knob density=101"), 2, "0 to 100");
  check_refused(folder.run("random -o a.elf --knob launches=3"), 2, "of launches");
  check_refused(folder.run("random"), 2, "-o");
  folder.write("k.s", count_down);
  check_refused(folder.run("lockstep k.s --knob density=3"), 2, "for --random");
  folder.write("soak.knobs", "density = 10\nnear = x\n");
  check_refused(folder.run("lockstep --random 1 --knobs soak.knobs"), 2, "soak.knobs:2");
}

TEST_CASE("a failure shrinks to a file that repeats it with the command that is told") {
  const Folder folder;
  const std::string plant = " --models golden,cycle --plant write.data:vsel ";
  const Output shrunk = folder.run(
      "shrink --random --seed 3 --preset nano --knob bundles=200 --json -o small.s" + plant);
  INFO(shrunk.text);
  REQUIRE(shrunk.status == 0);
  // The report for people comes first.
  const nlohmann::json result =
      nlohmann::json::parse(shrunk.text.substr(shrunk.text.find("\n{") + 1));
  CHECK(result["signature"].get<std::string>().starts_with("mismatch write.data v"));
  CHECK(result["bundles"] <= 2);
  CHECK(result["bundles_before"] > 200);
  const Output again =
      folder.run("lockstep small.s --hbm 8G --no-uninitialised-check --json" + plant);
  CHECK(again.status == 1);
  CHECK(nlohmann::json::parse(again.text)["report"]["signature"] == result["signature"]);
}

TEST_CASE("shrink refuses what does not fail, and inputs that contradict each other") {
  const Folder folder;
  folder.write("k.s", count_down);
  check_refused(folder.run("shrink k.s --models golden,cycle -o s.s"), 2, "does not fail");
  check_refused(folder.run("shrink -o s.s"), 2, "either a program or --random");
  check_refused(folder.run("shrink k.s --random -o s.s"), 2, "either a program or --random");
  check_refused(folder.run("shrink k.s --json"), 2, "-o");
  check_refused(folder.run("shrink k.s -o k.s --plant issue.pc --models golden,cycle"), 2, "k.s");
  check_refused(folder.run("lockstep k.s --plant write.data:vsle"), 2, "vsle");
}

TEST_CASE("failures of one signature are counted, not repeated") {
  const Folder folder;
  const Output output = folder.run(
      "lockstep --random 6 --preset nano --models golden,cycle --plant write.data --keep-going "
      "--knob launches=1 --knob bundles=40");
  INFO(output.text);
  CHECK(output.status == 1);
  CHECK(contains(output.text, "6 times, first with seed 1: mismatch write.data sa mov"));
  CHECK(output.text.find("seed 2: ") == std::string::npos);
}

TEST_CASE("coverage of random programs adds up, has a page, and holds its floors") {
  const Folder folder;
  const std::string random =
      "lockstep --random 3 --preset nano --models golden,cycle --knob bundles=100 --coverage ";
  CHECK(folder.run(random + "a.json").status == 0);
  CHECK(folder.run(random + "b.json --seed 10 --steer").status == 0);
  CHECK(folder.run("coverage a.json b.json -o all.json --html page.html").status == 0);
  CHECK(contains(folder.read("page.html"), "never hit"));
  CHECK(contains(folder.read("page.html"), "p0 always holds and !p0 never does"));
  const auto percent = [&folder](const std::string& file) {
    const Output output = folder.run("coverage --json " + file);
    return nlohmann::json::parse(output.text)["operand"]["percent"].get<double>();
  };
  CHECK(percent("all.json") > percent("a.json"));
  folder.write("floors.json", "{\"pair\": 1, \"operand\": 99.9}");
  check_refused(folder.run("coverage all.json --floors floors.json"), 1, "operand: ");
  check_refused(folder.run("coverage floors.json"), 2, "floors.json");
  check_refused(folder.run("coverage a.json -o a.json"), 2, "a.json");
}

TEST_CASE("random programs take weights of instructions from files") {
  const Folder folder;
  folder.write("w.toml",
               "[weights]\n\"v*\" = 0\n[mix.adds]\n\"vadd.f32\" = 5\n\"vadd.s32\" = \"2..3\"\n");
  const std::string shown =
      folder.run("random --weights w.toml --mix adds --show-knobs -o x.elf").text;
  CHECK(contains(shown, "weight.vadd.f32 = 5\n"));
  CHECK(contains(shown, "weight.vmul.f32 = 0\n"));
  const std::string text = folder.run("random --weights w.toml --mix adds --text").text;
  const std::size_t body = text.find("vadd.f32");
  CHECK(body != std::string::npos);
  CHECK_FALSE(contains(text.substr(std::min(body, text.size())), "vmul.f32"));
  const std::string lockstep =
      "lockstep --random 2 --preset nano --models golden,cycle --knob bundles=100 --weights w.toml";
  CHECK(folder.run(lockstep + " --mix adds").status == 0);
  check_refused(folder.run(lockstep + " --mix subs"), 2, "there are adds");
  folder.write("w.toml", "[weights]\n\"v*\" = 0\nvadd.f32 = 5\n");
  check_refused(folder.run(lockstep), 2, "w.toml:3: a weight is a number");
  folder.write("w.toml", "[weights]\n\"vad.f32\" = 0\n");
  check_refused(folder.run(lockstep), 2, "w.toml:2: knob weight.vad.f32: no instruction");
  folder.write("w.toml", "[weight]\n");
  check_refused(folder.run(lockstep), 2, "w.toml:1");
}

TEST_CASE("coverage goes to lcov and to UCIS XML") {
  const Folder folder;
  folder.write("a.json", R"({"format": "tandem coverage 1", "bins": {"pair/sa sb": 2}})");
  CHECK(folder.run("coverage a.json a.json --lcov all.info --ucis all.xml").status == 0);
  const std::string info = folder.read("all.info");
  CHECK(contains(info, "SF:" + folder.path("all.info.bins/pair") + "\n"));
  CHECK(contains(info, ",4\n"));
  CHECK(contains(folder.read("all.info.bins/pair"), "pair/sa sb\n"));
  CHECK(contains(folder.read("all.xml"), "coverageCount=\"4\""));
  check_refused(folder.run("coverage a.json --lcov a.json"), 2, "a.json");
}

TEST_CASE("what nothing can reach and is hit is an error of coverage") {
  const Folder folder;
  folder.write("a.json", R"({"format": "tandem coverage 1", "bins": {"trap/deadlock sa": 2}})");
  check_refused(folder.run("coverage a.json"), 1, "no operation of the slot waits for a flag");
}

TEST_CASE("coverage of a program is that of its bundles") {
  const Folder folder;
  folder.write("a.s", "        { sa: s1 = mov 1 ; dma: fset f1, 2 }\n        halt\n");
  CHECK(folder.run("lockstep a.s --preset nano --models golden,cycle --coverage a.json").status ==
        0);
  CHECK(contains(folder.read("a.json"), "\"dma/fset beside no copy\": 1"));
  CHECK(contains(folder.read("a.json"), "\"pair/sa dma\": 1"));
  CHECK(contains(folder.read("a.json"), "\"operand/mov b 1\": 1"));
}
