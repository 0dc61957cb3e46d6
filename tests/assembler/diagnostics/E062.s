        .target huge
