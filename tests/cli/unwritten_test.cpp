// Outputs with elements that were never computed are reported and not written.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// Copies `words` words from VMEM row 0 to y, of 2 x 6 elements: rows of 24 bytes. Row 0 of VMEM is
// brought from x where `fill` says so.
std::string program(unsigned words, bool fill) {
  std::string text = R"(
        .target nano
        .arguments
        .tensor x, f32, [2, 6], in
        .tensor y, f32, [2, 6], out
        .smem
        .align  16
there:  .space  16
back:   .space  16
        .text
)";
  const auto store = [&text](const char* label, unsigned word, const std::string& value) {
    text += fmt::format("        s1 = mov {}\n        s2 = mov {}\n        sst [s1 + {}], s2\n",
                        label, value, word);
  };
  for (const char* label : {"there", "back"}) {
    const bool in = label[0] == 't';
    store(label, 0, in ? "(1 << 16) | (0 << 8) | (1 << 10)" : "(2 << 16) | (1 << 8) | (0 << 10)");
    store(label, 1, "1");
    store(label, 6, in ? "48" : std::to_string(words * 4));
    for (const unsigned dimension : {7U, 10U, 13U}) store(label, dimension, "1");
  }
  // Addresses from the argument block, whose entries have 16 words each.
  text +=
      "        s3 = sld [0]\n        s4 = sld [1]\n        s1 = mov there\n"
      "        sst [s1 + 2], s3\n        sst [s1 + 3], s4\n"
      "        s3 = sld [16]\n        s4 = sld [17]\n        s1 = mov back\n"
      "        sst [s1 + 4], s3\n        sst [s1 + 5], s4\n";
  if (fill) text += "        s1 = mov there\n        copy [s1], s0, s0\n        wait f1, 1\n";
  text += "        s1 = mov back\n        copy [s1], s0, s0\n        wait f2, 1\n        halt\n";
  return text;
}

}  // namespace

TEST_CASE("an output that was filled is written") {
  const Folder folder;
  folder.write("k.s", program(12, true));
  folder.write_floats("x.npy", {2, 6});
  for (const std::string model : {"golden", "cycle"}) {
    const Output output = folder.run("run k.s --in x=x.npy --out y=y.npy --on " + model);
    INFO(output.text);
    CHECK(output.status == 0);
    CHECK(folder.read("y.npy") == folder.read("x.npy"));
  }
}

TEST_CASE("an output with holes is reported and not written") {
  const Folder folder;
  folder.write_floats("x.npy", {2, 6});
  for (const auto& [words, fill, said] :
       {std::tuple{8U, true, "output y: 4 elements never written, the first is y[1][2]"},
        std::tuple{11U, true, "output y: 1 element never written, the first is y[1][5]"},
        std::tuple{12U, false, "output y: 12 elements never written, the first is y[0][0]"}}) {
    folder.write("k.s", program(words, fill));
    for (const std::string model : {"golden", "cycle"}) {
      const std::string run = "run k.s --in x=x.npy --on " + model;
      check_refused(folder.run(run + " --out y=y.npy"), 1, std::string(said) + "; y.npy is not");
      CHECK(folder.read("y.npy").empty());
      check_refused(folder.run(run), 0, said);
      CHECK(folder.run(run + " --out y=z.npy --no-uninitialised-check").status == 0);
      CHECK(!folder.read("z.npy").empty());
      const Output json = folder.run(run + " --json");
      CHECK(nlohmann::json::parse(json.text)["unwritten"][0]["tensor"] == "y");
    }
  }
}
