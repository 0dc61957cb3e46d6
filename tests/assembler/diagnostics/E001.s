# files that are not there
        .include "nowhere.s"
        .data
        .incbin "nowhere.bin"
