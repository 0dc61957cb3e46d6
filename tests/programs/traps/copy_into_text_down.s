# Runs that begin after the text and step down into its last bundle: only the box, not its first
# run, touches the text of 34 bundles.
# expect: trap address_range dma 5 pc here

        .include "../common.inc"

        .smem
        .align  16
descriptor:
        .space  16
        .text

        describe descriptor, SMEM_TO_HBM | FLAG, 1, 1024, 65536 + 64 * 34, 4, n1=2, s1=4, d1=-4
here:   { dma: copy [descriptor], s0, s0 }
        halt
