        .data
        .space  1.5
        .s8     0.5
        .text
        v1 = vld [1.0]
