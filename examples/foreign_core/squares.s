# Sums the squares of 1 to 10, each of which it leaves in SMEM.
        .target nano
        .text
start:  { s1 = mov 1 ; s2 = mov 0 }
loop:   { s3 = mul s1, s1 ; p1 = ne s1, 10 }
        { s2 = add s2, s3 ; sst [s1 + 16], s3 }
        { s1 = add s1, 1 }
        { @p1 br loop }
        { sst [16], s2 }
        { halt }
