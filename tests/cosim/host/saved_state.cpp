#include "tests/cosim/host/saved_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/archive/archive.hpp"
#include "tests/cosim/host/host_bench.hpp"

namespace tandem::host {

// An archive holds the length of a name, the name, the number of bytes, the bytes.
std::uint8_t* register_in(std::vector<std::uint8_t>& saved, const std::string& name,
                          std::uint64_t bytes) {
  std::vector<std::uint8_t> head;
  ArchiveWriter writer(head);
  writer(std::string(name), bytes);
  const auto found = std::search(saved.begin(), saved.end(), head.begin(), head.end());
  if (found == saved.end()) throw Difference(fmt::format("no register {} of that size", name));
  return &*found + head.size();
}

void change_state(Machine& machine, const std::function<void(std::vector<std::uint8_t>&)>& change) {
  std::vector<std::uint8_t> saved;
  ArchiveWriter writer(saved);
  machine.save_to(writer);
  change(saved);
  ArchiveReader reader(saved);
  machine.restore_from(reader);
}

void run_to_end(Machine& machine) {
  for (std::uint64_t cycles = 0; machine.cycle(nullptr); ++cycles) {
    if (cycles == patience) throw Difference("the machine does not end");
  }
}

}  // namespace tandem::host
