// Exchanges round a ring of devices in steps, with computation in between
// (functions/step_text.hpp): calls of `custom_call @tandem_step` that pass buffers from one to the
// next.
//
// A landing (`@tandem_landing`) is memory that the neighbour sends to; it may be read only after a
// step that waits for its data.
#pragma once

#include <cstdint>

#include "compiler/stablehlo/collectives/flags.hpp"
#include "compiler/stablehlo/collectives/groups.hpp"
#include "compiler/stablehlo/maker.hpp"

namespace tandem::compiler {

class RingSteps {
 public:
  struct Buffer {
    bool is_landing = false;
    std::size_t number = 0;
  };
  struct Message {
    bool to_left = false;
    Buffer from;
    std::int64_t from_word = 0;
    Buffer to;  // a landing
    std::int64_t to_word = 0;
    std::int64_t words = 0;
  };

  RingSteps(Maker& make, const Groups& groups, const ExchangeFlags::Choice& flags)
      : make_(make), groups_(groups), flags_(flags) {}

  // Of 32-bit elements. All landings come before the first step.
  Buffer source(mlir::Value words);
  Buffer landing(mlir::RankedTensorType type);
  // Waits until a total of `came` messages have arrived each way, sends the messages, and waits for
  // `come`; 0: for none. The first step also waits until the neighbours may be sent to, the last
  // one until everything is done.
  struct Step {
    std::int64_t came = 0;
    llvm::SmallVector<Message, 4> messages;
    std::int64_t come = 0;
    bool is_last = false;
  };
  void take(const Step& step);
  // The buffer as the last step left it.
  [[nodiscard]] mlir::Value value(Buffer buffer) const {
    return buffer.is_landing ? landings_[buffer.number] : sources_[buffer.number];
  }

 private:
  llvm::SmallVector<std::int64_t> numbers_of(llvm::ArrayRef<Message> messages) const;

  Maker& make_;
  const Groups& groups_;
  ExchangeFlags::Choice flags_;
  llvm::SmallVector<mlir::Value> sources_;
  llvm::SmallVector<mlir::Value> landings_;
  std::int64_t sent_ = 0;
  bool is_first_ = true;
};

// This device's place in its group, times a number, as tensor<i32>; and the place of the device
// this many places further.
class RingPlace {
 public:
  RingPlace(Maker& make, const Groups& groups);
  mlir::Value further(std::int64_t places, std::int64_t times, std::int64_t more);

 private:
  Maker& make_;
  std::int64_t size_;
  mlir::Value place_;
};

// A landing to which nothing is sent may be assembled from windows, each from an index of one
// dimension on. The assembled tensor is the whole landing.
mlir::Value window(Maker& make, mlir::Value landing, mlir::RankedTensorType type,
                   std::int64_t dimension, mlir::Value index);
mlir::Value put(Maker& make, mlir::Value landing, mlir::Value window, mlir::Value tensor);

}  // namespace tandem::compiler
