// A step of work that goes round a ring while the program computes between the steps, as linear
// assembly: what is sent to the devices beside, and what is waited for (decision 192).
//
// Buffers are in HBM: `sources`, of which this device only sends, at %arg0 and so on, then the
// table of groups that are not all devices in order; and landings, which the device beside sends
// to, at %out0 and so on. Landings are at the same place on all devices. %smem is the first of
// `step_smem_words` words.
//
// The first step says to both sides that they may send, and waits until it may. Messages of a way
// come in the order in which they are sent, so a count says which have come. The last step waits
// until all of this device's have been read, and clears the flags.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::compiler {

struct StepBuffer {
  bool is_landing = false;
  std::uint32_t number = 0;
  std::uint32_t word = 0;  // where in it
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
  std::uint32_t came = 0;  // messages that must have come each way, of all steps, before it sends
  std::vector<StepMessage> messages;
  std::uint32_t come = 0;  // and when it is over
  std::uint32_t sent = 0;  // of the last step: messages of all steps
  std::uint32_t ready_flag = 0;
  std::uint32_t right_flag = 0;  // counts what has come that goes to the right
  std::uint32_t left_flag = 0;
  std::uint32_t sent_flag = 0;
};

std::string step_text(const RingStep& step);
std::uint32_t step_smem_words();

}  // namespace tandem::compiler
