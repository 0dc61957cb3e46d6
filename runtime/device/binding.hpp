// Tensors of a device in the places that a program declares.
#pragma once

#include <span>
#include <vector>

#include "runtime/device/device.hpp"

namespace tandem::runtime {

// What the launch's argument block says. Throws Error unless there is one tensor for each that is
// declared, of its type and sizes; dimensions that take their size from data (named ones alike)
// must agree.
std::vector<PlacedTensor> bind(std::span<const Tensor> declared,
                               std::span<const TensorHandle> tensors);

// Writes zeros over it.
void clear(DeviceModel& model, const PlacedTensor& tensor);

}  // namespace tandem::runtime
