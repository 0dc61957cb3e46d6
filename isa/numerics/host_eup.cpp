// The EUP functions over arrays: the integer definition itself, inlined into loops.
#include "isa/numerics/eup.hpp"
#include "isa/numerics/host_vector.hpp"

namespace tandem::numerics {

void eup_exp2_array(uint32_t* result, const uint32_t* a, size_t n) {
  for (size_t i = 0; i < n; ++i) result[i] = eup_exp2(a[i]);
}

void eup_log2_array(uint32_t* result, const uint32_t* a, size_t n) {
  for (size_t i = 0; i < n; ++i) result[i] = eup_log2(a[i]);
}

void eup_rcp_array(uint32_t* result, const uint32_t* a, size_t n) {
  for (size_t i = 0; i < n; ++i) result[i] = eup_rcp(a[i]);
}

void eup_rsqrt_array(uint32_t* result, const uint32_t* a, size_t n) {
  for (size_t i = 0; i < n; ++i) result[i] = eup_rsqrt(a[i]);
}

void eup_tanh_array(uint32_t* result, const uint32_t* a, size_t n) {
  for (size_t i = 0; i < n; ++i) result[i] = eup_tanh(a[i]);
}

}  // namespace tandem::numerics
