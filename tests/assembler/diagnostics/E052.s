        { br 0 ; halt }
        { va: v1 = vmov v2 ; va: v3 = vmov v4 }
