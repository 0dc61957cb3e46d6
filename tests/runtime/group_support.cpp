#include "tests/runtime/group_support.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

namespace tandem::test {

using namespace runtime;

DeviceOptions nano_chip(Model model) {
  DeviceOptions options;
  options.preset = "nano";
  options.model = model;
  options.hbm_bytes = 64U << 20U;
  return options;
}

std::string group_prologue() {
  return R"(
        .macro  put at, value
        s31 = mov \value
        sst [\at], s31
        .endm
        .macro  remote chip, from, to, there, here, length = ROW_BYTES
        s30 = mov 1 | (1 << 8) | (1 << 10) | (\there << 16)
        s29 = shl \chip, 24
        s30 = or s30, s29
        sst [d], s30
        put d + 1, 1 | (\here << 16) | (1 << 24)
        put d + 2, \from * ROW_BYTES
        put d + 4, \to * ROW_BYTES
        put d + 6, \length
        put d + 7, 1
        put d + 10, 1
        put d + 13, 1
        { dma: copy [d], s0, s0 }
        .endm
        .smem
        .align 16
d:      .space 16
        .text
        s1 = csr chip
        s3 = add s1, 1
        s3 = and s3, 3
        s4 = add s1, 3
        s4 = and s4, 3
        v1 = vmov s1
)";
}

std::string row_ring(int steps, int buffers, bool credit) {
  std::string text = group_prologue() + "        vst [0], v1, rows=1\n";
  const auto row = [buffers](int step) { return 8 * (1 + step % buffers); };
  for (int k = 0; k < steps; ++k) {
    if (k > 0) {
      text += fmt::format("        {{ dma: wait f1, {} }}\n", k);
      text += fmt::format("        v2 = vld [{}], rows=1\n", row(k - 1));
    }
    if (credit && k >= buffers)
      text += fmt::format("        {{ dma: wait f3, {} }}\n", k - buffers + 1);
    text += fmt::format("        remote s3, {}, {}, 1, 2\n", k == 0 ? 0 : row(k - 1), row(k));
    if (k == 0) continue;
    text += fmt::format("        {{ dma: wait f2, {} }}\n", k + 1);
    if (credit) text += "        remote s4, 0, 0, 3, 4, 0\n";
  }
  text += fmt::format("        {{ dma: wait f1, {} }}\n", steps);
  text += fmt::format("        v2 = vld [{}], rows=1\n        halt\n", row(steps - 1));
  return text;
}

std::string lost_signal() {
  return group_prologue() + R"(
        remote s3, 0, 0, 1, 2, 0
        p1 = eq s1, 2
        @p1 halt
        { dma: wait f1, 2 }
        halt
)";
}

std::string trap_beside_wait() {
  return group_prologue() + R"(
        p1 = eq s1, 2
        @!p1 br rest
        s7 = mov -1
        { dma: wait f1, 1 ; ld: v2 = vld [s7], rows=1 }
rest:   { dma: wait f1, 1 }
        halt
)";
}

std::string random_messages(std::mt19937& random) {
  std::array<std::string, group_chips> of_chip;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sent_to;
  std::array<int, group_chips> sent{};
  constexpr std::uint32_t chances[] = {0, 0, 10, 30};
  const std::uint32_t forgets = chances[random() % std::size(chances)];
  const auto keeps = [&] { return random() % 100 >= forgets; };
  const auto row = [&] { return 8 + 8 * (random() % 6); };
  const auto send = [&](std::uint32_t from, std::uint32_t to, std::string_view length) {
    of_chip[from] += fmt::format("        s6 = mov {}\n        remote s6, {}, {}, {}, 20, {}\n", to,
                                 row(), row(), 1 + from, length);
    ++sent[from];
    if (keeps()) of_chip[from] += fmt::format("        {{ dma: wait f20, {} }}\n", sent[from]);
    const int arrived = ++sent_to[{from, to}];
    if (keeps()) of_chip[to] += fmt::format("        {{ dma: wait f{}, {} }}\n", 1 + from, arrived);
  };
  for (std::uint32_t messages = 3 + random() % 7; messages != 0; --messages) {
    const std::uint32_t from = random() % group_chips;
    const std::uint32_t to = (from + 1 + random() % (group_chips - 1)) % group_chips;
    send(from, to, "ROW_BYTES");
    if (random() % 10 < 6) {
      const auto used = row();
      of_chip[to] += random() % 10 < 3 ? fmt::format("        vst [{}], v1, rows=1\n", used)
                                       : fmt::format("        v2 = vld [{}], rows=1\n", used);
    }
    if (random() % 10 < 5) send(to, from, "0");
  }
  std::string text = group_prologue();
  for (std::uint32_t chip = 0; chip < group_chips; ++chip) {
    text += fmt::format("        p1 = eq s1, {}\n        @!p1 br next{}\n{}        halt\nnext{}:\n",
                        chip, chip, of_chip[chip], chip);
  }
  return text + "        halt\n";
}

Chips::Chips(const std::string& text, const DeviceOptions& options, std::uint32_t chips) {
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    devices.push_back(std::make_unique<Device>(options));
    programs.push_back(devices.back()->load(assembled(text)));
  }
}

std::vector<Device*> Chips::pointers() const {
  std::vector<Device*> all;
  for (const auto& device : devices) all.push_back(device.get());
  return all;
}

GroupResult Chips::launch(const runtime::LaunchOptions& options) {
  runtime::Group group(pointers());
  std::vector<GroupMember> members;
  for (const ProgramHandle& program : programs) members.push_back({program, {}});
  return group.launch(members, options);
}

}  // namespace tandem::test
