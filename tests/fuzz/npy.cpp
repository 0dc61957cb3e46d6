// Any bytes: they are an array or refused, and an array can be shown, bound and written.
#include <algorithm>
#include <cstdlib>

#include "cli/files/npy_values.hpp"
#include "isa/launch/npy.hpp"

namespace {

using namespace tandem;

void bind(const NpyArray& array) {
  for (const ElementType type : {ElementType::f32, ElementType::bf16, ElementType::s32,
                                 ElementType::s8, ElementType::i1, ElementType::u64}) {
    try {
      const TensorData data = tensor_from_npy(array, type);
      (void)format_npy(npy_from_tensor(data, type));
    } catch (const NpyError&) {
    }
  }
}

void show(const NpyArray& array) {
  if (!is_npy_number_type(array.type)) return;
  NpyArray again{array.type, array.shape, {}};
  for (std::size_t i = 0; i < npy_count(array); ++i) {
    const NpyNumber number = npy_number(array, i);
    (void)npy_number_text(number, array.type);
    if (array.type != "b1") append_npy_number(again, number);
  }
  const bool integers = array.type[0] != 'f' && array.type != "b1";
  if (integers && again.bytes != array.bytes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)npy_bytes({data, std::min<std::size_t>(size, 64)}, size);
  } catch (const NpyError&) {
  }
  try {
    const NpyArray array = parse_npy({data, size});
    bind(array);
    show(array);
    const std::vector<std::uint8_t> file = format_npy(array);
    if (parse_npy(file).bytes != array.bytes) std::abort();
  } catch (const NpyError&) {
  }
  return 0;
}
