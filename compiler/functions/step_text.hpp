// A step of a ring exchange, with the program computing between the steps, as linear assembly: what
// is sent to the neighbours, and what is waited for (decision 192).
//
// Buffers are in HBM: `sources`, from which this device only sends, at %arg0 and so on, then the
// table for groups that are not all devices in order; and landings, which the neighbour sends to,
// at %out0 and so on. Landings are at the same place on all devices. %smem is the first of
// `step_smem_words` words.
//
// The first step signals to both sides that they may send, and waits until it may send itself.
// Messages in one direction arrive in the order in which they are sent, so a count shows which have
// arrived. The last step waits until all of this device's have been read, and clears the flags.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::compiler {

struct StepBuffer {
  bool is_landing = false;
  std::uint32_t number = 0;
  std::uint32_t word = 0;  // offset in it
};

struct StepMessage {
  bool to_left = false;
  StepBuffer from;
  StepBuffer to;  // a landing
  std::uint32_t words = 0;
};

struct RingStep {
  std::uint32_t places = 3;
  std::uint32_t sources = 0;
  bool has_table = false;
  bool is_first = false;
  std::uint32_t came = 0;  // messages that must have arrived each way, over all steps, before it
                           // sends
  std::vector<StepMessage> messages;
  std::uint32_t come = 0;  // and at its end
  std::uint32_t sent = 0;  // of the last step: messages of all steps
  std::uint32_t ready_flag = 0;
  std::uint32_t right_flag = 0;  // counts arrivals of data that goes to the right
  std::uint32_t left_flag = 0;
  std::uint32_t sent_flag = 0;
};

std::string step_text(const RingStep& step);
std::uint32_t step_smem_words();

}  // namespace tandem::compiler
