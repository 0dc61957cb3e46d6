        .data
        .space  later
        .equ    later, 5
        .if     unknown
        .endif
        .u8     place
place:
        mxpush  place, v1.lo
