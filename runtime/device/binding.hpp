// Tensors of a device bound to those that a program declares.
#pragma once

#include <span>
#include <vector>

#include "runtime/device/device.hpp"

namespace tandem::runtime {

// The contents of the launch's argument block. Throws Error unless there is one tensor for each
// declared one, with its type and sizes; dimensions that take their size from data (named ones
// alike) must agree.
std::vector<PlacedTensor> bind(std::span<const Tensor> declared,
                               std::span<const TensorHandle> tensors);

// Writes zeros over it.
void clear(DeviceModel& model, const PlacedTensor& tensor);

}  // namespace tandem::runtime
