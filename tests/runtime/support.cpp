#include "tests/runtime/support.hpp"

#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"
#include "assembler/elf.hpp"

namespace tandem::test {

std::vector<std::uint8_t> assembled(const std::string& text, const std::string& preset) {
  AssembleOptions options;
  options.preset = preset;
  const LinkResult built = build(std::vector{SourceText{"test.s", text}}, options);
  INFO(diagnostics_text(built.diagnostics));
  REQUIRE(built.ok());
  return write_elf(built.program);
}

std::string add_one_program() {
  return R"(
        .include "benchmarks/common/common.inc"
        .tensor x, s32, [8, LANES], in
        .tensor y, s32, [8, LANES], out
        .vmem
tile:   .space  8
        .smem
        .align  16
setup:  .space  16
load:   .space  16
store:  .space  16
args:   .space  2 * 16
        .text
        fetch_arguments setup, args, 2
        descriptor load, in_hbm, in_vmem, 1
        tensor_address load, copy_source, args, 0
        store_word load + copy_length, 8 * ROW_BYTES
        descriptor store, in_vmem, in_hbm, 2
        tensor_address store, copy_target, args, 1
        store_word store + copy_length, 8 * ROW_BYTES
        copy_and_wait load, f1
        { v1 = vld [tile] ; s4 = mov 1 }
        v1 = vadd.s32 v1, s4
        vst [tile], v1
        copy_and_wait store, f2
        halt
)";
}

std::string rubbish_program() {
  return R"(
        .smem
word:   .space  4
        .text
        s4 = mov 77
        { s5 = mov -1 ; sst [word], s4 ; fset f3, 9 }
        p3 = eq s4, 77
        m5 = veq.s32 s4, s4
        v5 = vmov s4
        vst [0], v5
        mxpush 0, v5.f32
        halt
)";
}

std::string clean_program() {
  return R"(
        .smem
word:   .space  4
        .text
        { p1 = ne s4, 0 ; s6 = sld [word] }
        p2 = ne s5, 0
        s7 = mpop m5
        p4 = ne s6, 0
        p5 = ne s7, 0
        @p1 trap 1
        @p2 trap 2
        @p3 trap 3
        @p4 trap 4
        @p5 trap 5
        wait f3, 0
        halt
)";
}

bool has_rtl(const std::string& preset) {
  try {
    runtime::DeviceOptions options;
    options.preset = preset;
    options.model = runtime::Model::rtl;
    const runtime::Device device(options);
    return true;
  } catch (const runtime::Error&) {
    return false;
  }
}

}  // namespace tandem::test
