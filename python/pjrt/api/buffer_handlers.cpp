// Buffers: created, queried, moved, deleted.
#include "python/pjrt/api/handlers.hpp"
#include "python/pjrt/arrays/buffer.hpp"
#include "python/pjrt/arrays/transfers.hpp"
#include "python/pjrt/core/handles.hpp"

namespace tandem::pjrt {
namespace {

// A call names a device or a memory; the memory takes precedence if both are given.
Device& target_of(PJRT_Memory* memory, PJRT_Device* device) {
  return memory != nullptr ? object_of(memory).device() : object_of(device);
}

void refuse_other_layout(const Shape& shape, const PJRT_Buffer_MemoryLayout* layout) {
  if (is_dense(shape, strides_of(shape, layout))) return;
  fail(PJRT_Error_Code_UNIMPLEMENTED, "unimplemented: a layout on the device other than row-major");
}

PJRT_Event* event_of(SharedCompletion completion) {
  return handle_of(*new Event(std::move(completion)));
}

PJRT_Buffer* released(std::unique_ptr<Buffer> buffer) { return handle_of(*buffer.release()); }

}  // namespace

void handle(PJRT_Client_BufferFromHostBuffer_Args& args) {
  Device& device = target_of(args.memory, args.device);
  const Shape shape = shape_of(args.type, args.dims, args.num_dims);
  refuse_other_layout(shape, args.device_layout);
  if (args.data == nullptr && dense_bytes(shape) != 0) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "no data");
  }
  HostArray host;
  host.first = static_cast<const std::uint8_t*>(args.data);
  host.strides = strides_of(shape, args.byte_strides, args.num_byte_strides);
  std::unique_ptr<Buffer> buffer = to_device(device, shape, host);
  args.done_with_host_buffer = event_of(finished());
  args.buffer = released(std::move(buffer));
}

void handle(PJRT_Client_CreateUninitializedBuffer_Args& args) {
  const Shape shape = shape_of(args.shape_element_type, args.shape_dims, args.shape_num_dims);
  refuse_other_layout(shape, args.shape_layout);
  args.buffer = released(uninitialised(target_of(args.memory, args.device), shape));
}

void handle(PJRT_Client_CreateErrorBuffer_Args& args) {
  const Shape shape = shape_of(args.shape_element_type, args.shape_dims, args.shape_num_dims);
  Status status{args.error_code, {args.error_message, args.error_message_size}};
  if (status.ok()) fail(PJRT_Error_Code_INVALID_ARGUMENT, "an error buffer with status OK");
  args.buffer = released(failed_buffer(object_of(args.memory).device(), shape, std::move(status)));
}

void handle(PJRT_Buffer_Destroy_Args& args) { delete pointer_of(args.buffer); }

void handle(PJRT_Buffer_ElementType_Args& args) {
  args.type = buffer_type_of(object_of(args.buffer).shape().type);
}

void handle(PJRT_Buffer_Dimensions_Args& args) {
  const std::vector<std::int64_t>& dimensions = object_of(args.buffer).shape().dimensions;
  args.dims = dimensions.data();
  args.num_dims = dimensions.size();
}

void handle(PJRT_Buffer_UnpaddedDimensions_Args& args) {
  const std::vector<std::int64_t>& dimensions = object_of(args.buffer).shape().dimensions;
  args.unpadded_dims = dimensions.data();
  args.num_dims = dimensions.size();
}

void handle(PJRT_Buffer_DynamicDimensionIndices_Args& args) {
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
}

void handle(PJRT_Buffer_GetMemoryLayout_Args& args) {
  const std::vector<std::int64_t>& order = object_of(args.buffer).minor_to_major();
  args.layout = {};
  args.layout.struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE;
  args.layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  args.layout.tiled.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE;
  args.layout.tiled.minor_to_major = order.data();
  args.layout.tiled.minor_to_major_size = order.size();
}

void handle(PJRT_Buffer_OnDeviceSizeInBytes_Args& args) {
  args.on_device_size_in_bytes = dense_bytes(object_of(args.buffer).shape());
}

void handle(PJRT_Buffer_Device_Args& args) {
  args.device = handle_of(object_of(args.buffer).device());
}

void handle(PJRT_Buffer_Memory_Args& args) {
  args.memory = &object_of(args.buffer).device().memory();
}

void handle(PJRT_Buffer_Delete_Args& args) { object_of(args.buffer).erase(); }

void handle(PJRT_Buffer_IsDeleted_Args& args) {
  args.is_deleted = object_of(args.buffer).is_erased();
}

void handle(PJRT_Buffer_CopyToDevice_Args& args) {
  args.dst_buffer = released(copy_to_device(object_of(args.buffer), object_of(args.dst_device)));
}

void handle(PJRT_Buffer_CopyToMemory_Args& args) {
  args.dst_buffer =
      released(copy_to_device(object_of(args.buffer), object_of(args.dst_memory).device()));
}

void handle(PJRT_Buffer_ToHostBuffer_Args& args) {
  const Buffer& buffer = object_of(args.src);
  const std::uint64_t bytes = dense_bytes(buffer.shape());
  if (args.dst == nullptr) {
    args.dst_size = bytes;
    return;
  }
  if (args.dst_size < bytes)
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "too little room for the array");
  args.event = event_of(to_host(buffer, strides_of(buffer.shape(), args.host_layout),
                                static_cast<std::uint8_t*>(args.dst)));
}

void handle(PJRT_Buffer_CopyRawToHost_Args& args) {
  if (args.offset < 0 || args.transfer_size < 0) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "a negative offset or size");
  }
  args.event = event_of(raw_to_host(object_of(args.buffer), static_cast<std::uint64_t>(args.offset),
                                    static_cast<std::uint64_t>(args.transfer_size),
                                    static_cast<std::uint8_t*>(args.dst)));
}

void handle(PJRT_Buffer_IsOnCpu_Args& args) { args.is_on_cpu = false; }

void handle(PJRT_Buffer_ReadyEvent_Args& args) {
  args.event = event_of(object_of(args.buffer).storage()->ready());
}

// The address in the device's memory, which shows whether two buffers share it; the host cannot
// read from it.
void handle(PJRT_Buffer_UnsafePointer_Args& args) {
  const SharedStorage storage = object_of(args.buffer).storage();
  const Status& status = storage->ready()->wait();
  if (!status.ok()) throw Failure{status};
  args.buffer_pointer = storage->tensor()->placed().address;
}

}  // namespace tandem::pjrt
