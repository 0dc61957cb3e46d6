// Texts that several scenarios run, with the macros of Assembled.
#pragma once

namespace tandem::host {

// A long copy to HBM that crosses 4 GiB, and an end while it is in flight.
inline constexpr const char* long_copy = R"(
        describe 1 << 8, 0, 0, 0xfffff000, 0, 8192
        { dma: copy [0], s0, s0 }
)";
inline constexpr const char* long_read = R"(
        describe 1 << 10, 0xfffff000, 0, 0, 0, 8192
        { dma: copy [0], s0, s0 }
)";

}  // namespace tandem::host
