# Words of .smem with contents are there at start, after the argument block, and room between them is
# zero; a copy may take its descriptor from them, and the word address of a tensor from the block.
# expect: smem[32] = 5, 0xffffffff, 0, 0, 0x3fc00000
# expect: smem[48] = 0x00030a00, 2
# expect: smem[63] = 0
# expect: smem[64] = 0, 9, 9
# expect: s3 = 66
# expect: s4 = 5
# expect: s7 = 1
# expect: s8 = 9
# expect: f3 = 2

        .arguments
        .tensor x, f32, [4], out
        .tensor y, f32, [4], out
        .smem
own:    .u32    5, -1
        .space  2
        .f32    1.5
        .align  16
move:   .descriptor source_space=smem, destination_space=smem, source=4*65, target=4*66, length=4, flag=3, amount=2
        .align  16
        .space  1
        .s32    9
last:   .space  2
        .text

        { sb: s4 = sld [own] }                          # in the first bundle
        { sb: s3 = csr arg_words }
        { sb: s9 = sld [0] ; sa: s10 = mov move }       # address of x in bytes
        { sb: s11 = sld [15] ; dma: copy [s10], s0, s0 }  # in words
        s12 = shr s9, 2
        p1 = eq s11, s12
        s7 = mov 1
        { sa: s7 = sel p1, s7, s0 }
        { dma: wait f3, 2 }
        { sb: s8 = sld [last] }
        halt
