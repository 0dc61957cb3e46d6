# csr: every register that is the same on every run; s0, predicates.
# expect: s4 = 0x444e4154
# expect: s5 = 1
# expect: s6 = 0
# expect: s7 = LANES
# expect: s8 = 8
# expect: s9 = VMEM_ROWS
# expect: s10 = SMEM_WORDS
# expect: s11 = LANES == 8 ? 256 : LANES == 16 ? 1024 : LANES == 64 ? 2048 : 4096
# expect: s12 = 12
# expect: s13 = LANES
# expect: s0 = 0
# expect: s17 = 1
# expect: s18 = 0
# expect: s19 = 0
# expect: s20 = 1

        { sb: s4 = csr id }
        { sb: s5 = csr version ; sa: s12 = mov 12 }
        { sb: s6 = csr core_id }
        { sb: s7 = csr lanes }
        { sb: s8 = csr sublane_count }
        { sb: s9 = csr vmem_rows }
        { sb: s10 = csr smem_words }
        { sb: s11 = csr icache_bundles }
        { sb: @p1 s12 = csr lanes }
        { sb: @!p1 s13 = csr lanes }
        { sb: s0 = csr lanes }
        # Where memory ends and the arguments begin is the host's choice; HBM is 4 GiB here.
        { sb: s14 = csr arg_lo }
        { sb: s15 = csr arg_hi }
        { sb: s18 = csr hbm_lo }
        { sb: s17 = csr hbm_hi }
        { sb: s19 = csr chip }
        { sb: s20 = csr chips }
        halt
