        .target nano
        .vmem
        .space  2000
        .space  2000
        .smem
        .space  4095
        .align  16
        .space  1
