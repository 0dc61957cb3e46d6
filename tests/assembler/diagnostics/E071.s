        .entry  buffer
        .vmem
buffer: .space  8
        .text
        halt
