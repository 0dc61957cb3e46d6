// A bus that routes by address: any number of initiators, targets in windows. It takes no time; a
// target sees addresses from the start of its window. DMI goes through in both directions.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>

namespace tandem::example {

class Bus final : public sc_core::sc_module {
 public:
  using Upstream = tlm_utils::simple_target_socket_tagged<Bus>;
  using Downstream = tlm_utils::simple_initiator_socket_tagged<Bus>;

  explicit Bus(const sc_core::sc_module_name& name) : sc_module(name) {}

  // During construction of the platform: a socket for one more initiator, and a window for a target
  // (windows must not overlap).
  Upstream& attach_initiator();
  Downstream& attach_target(std::uint64_t base, std::uint64_t bytes);

 private:
  struct Window {
    Window(std::uint64_t first, std::uint64_t count)
        : base(first), bytes(count), socket(sc_core::sc_gen_unique_name("target")) {}
    std::uint64_t base;
    std::uint64_t bytes;
    Downstream socket;
  };
  Window* window_of(const tlm::tlm_generic_payload& payload);
  void transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(int initiator, tlm::tlm_generic_payload& payload);
  bool grant(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);
  void invalidate(int target, sc_dt::uint64 first, sc_dt::uint64 last);

  std::deque<Upstream> initiators_;
  std::deque<Window> windows_;
};

}  // namespace tandem::example
