# csr: a counter holds the sums of the cycles before its bundle's own, so what the bundle counts
# itself is not in it yet: the same as one bundle earlier, whichever slot the other operation is in.
# (On golden these counters are 0.)
# expect: s20 = 0
# expect: s21 = 0
# expect: s22 = 0
# expect: s23 = 0
# expect: s24 = 0
# expect: s25 = 0

        { va: v1 = vmov s0 ; vb: v2 = vmov s0 }
        .rept   LANES / 8, i
        { mx: mxpush 8 * \i, v1.b0 }
        .endr
        { sb: s4 = csr event_mxu_rows_lo }
        { sb: s5 = csr event_mxu_rows_lo ; mx: mxmul.s8 a0, v1.b0, swap }
        { sa: s20 = sub s5, s4 ; sb: s4 = csr event_mxu_rows_lo }       # eight more
        { sb: s5 = csr event_mxu_rows_lo ; mx: @!p0 mxmul.s8 a0, v1.b0 }
        { sa: s21 = sub s5, s4 ; sb: s4 = csr event_slot_mx_lo }
        { sb: s5 = csr event_slot_mx_lo ; mx: mxmul.s8 a1, v1.b0, rows=3 }
        { sa: s22 = sub s5, s4 ; sb: s4 = csr event_mxu_rows_lo }       # three more
        { sb: s4 = csr event_vmem_store_bytes_lo }
        { sb: s5 = csr event_vmem_store_bytes_lo ; st: vst [0], v2 }
        { sa: s23 = sub s5, s4 ; sb: s4 = csr event_vmem_store_bytes_lo }
        { sb: s4 = csr event_vmem_load_bytes_lo }
        { sb: s5 = csr event_vmem_load_bytes_lo ; ld: v3 = vld [0] }
        { sa: s24 = sub s5, s4 ; sb: s4 = csr event_vmem_load_bytes_lo }
        { sb: s4 = csr event_branches_taken_lo }
        { sb: s5 = csr event_branches_taken_lo ; sa: br next }
next:   { sa: s25 = sub s5, s4 ; sb: s4 = csr event_branches_taken_lo }
        halt
