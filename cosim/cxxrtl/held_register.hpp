// A fault of the simulator itself, to see that lockstep reports one: the register that the
// environment variable TANDEM_CXXRTL_HOLDS names (as members.hpp of the build names it) is not
// changed by clock edges.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/verilated/verilated_members.hpp"
#include "isa/launch/launch.hpp"

namespace cxxrtl_machine {

class HeldRegister {
 public:
  // Throws LaunchError when there is no such register.
  void choose(const std::vector<tandem::VerilatedMember>& members) {
    const char* name = std::getenv("TANDEM_CXXRTL_HOLDS");
    if (name == nullptr || *name == '\0') return;
    for (const tandem::VerilatedMember& member : members) {
      if (member.name == name) present_ = member;
      if (member.name == std::string(name) + "/next") next_ = member;
    }
    if (next_.place == nullptr) {
      throw tandem::LaunchError{fmt::format("TANDEM_CXXRTL_HOLDS: no register '{}'", name)};
    }
    kept_.resize(present_.bytes);
  }
  void before_edge() {
    if (!kept_.empty()) std::memcpy(kept_.data(), present_.place, kept_.size());
  }
  void after_edge() {
    if (kept_.empty()) return;
    std::memcpy(present_.place, kept_.data(), kept_.size());
    std::memcpy(next_.place, kept_.data(), kept_.size());
  }

 private:
  tandem::VerilatedMember present_;
  tandem::VerilatedMember next_;
  std::vector<unsigned char> kept_;  // as it was before the edge
};

}  // namespace cxxrtl_machine
