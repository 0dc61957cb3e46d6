" Tandem assembly. Generated from the tables of the instruction set by tandem_emit_editors
" (assembler/editors); scripts/check-generated --write
if exists('b:current_syntax')
  finish
endif
syn case match
syn iskeyword @,48-57,_,.,$

syn keyword tandemMnemonic add and br call copy csr eq exp2 extract fadd fset ge.s32 ge.u32 gt.s32
syn keyword tandemMnemonic gt.u32 halt idle jump largmax.f32 largmax.s32 lbcast le.s32 le.u32
syn keyword tandemMnemonic lmax.f32 lmax.s32 lmin.f32 lmin.s32 log2 lperm lrot lsum.f32 lsum.s32
syn keyword tandemMnemonic lt.s32 lt.u32 mand marker max.s32 max.u32 mffs min.s32 min.u32 mor mov
syn keyword tandemMnemonic mpop mul mulhu mxmul.bf16 mxmul.s8 mxor mxpush mxpusht mxread ne not or
syn keyword tandemMnemonic pand por pxor rcp ret rsqrt sar sargmax.f32 sargmax.s32 sel shl shr sld
syn keyword tandemMnemonic smax.f32 smax.s32 smin.f32 smin.s32 sst ssti ssum.f32 ssum.s32 sub tanh
syn keyword tandemMnemonic transpose trap vadd.f32 vadd.s32 vand vbcast.sub vclz vcvt.f32.s32
syn keyword tandemMnemonic vcvt.s32.f32 veq.f32 veq.s32 vext.f32.s8 vext.s32.s8 vfloor.f32 vlane vld
syn keyword tandemMnemonic vldc vldx vle.f32 vle.s32 vle.u32 vlt.f32 vlt.s32 vlt.u32 vmax.f32
syn keyword tandemMnemonic vmax.s32 vmax.u32 vmin.f32 vmin.s32 vmin.u32 vmov vmul.f32 vmul.s32
syn keyword tandemMnemonic vmulerr.f32 vne.f32 vne.s32 vor vpack.bf16 vpack.s8 vpop vrot.sub vrotl
syn keyword tandemMnemonic vround.f32 vsar vsel vshl vshr vst vstx vsub.f32 vsub.s32 vsublane
syn keyword tandemMnemonic vtrunc.s32.f32 vxor wait xor
syn keyword tandemDirective .align .arguments .ascii .asciz .bf16 .bss .buffer .bundle .cold
syn keyword tandemDirective .copies_apart .data .descriptor .disjoint .else .elseif .endif
syn keyword tandemDirective .endlinear .endm .endr .entry .equ .error .extern .f32 .frame .global
syn keyword tandemDirective .hot .if .ifdef .ifndef .incbin .include .linear .lines .loc .macro
syn keyword tandemDirective .parameter .producer .reg .reloc .rept .s16 .s32 .s64 .s8 .scratch .set
syn keyword tandemDirective .smem .space .start_copy .target .tensor .text .touch .touches .trips
syn keyword tandemDirective .u16 .u32 .u64 .u8 .unroll .vmem
syn keyword tandemConstant INF LANES NAN ROW_BYTES SMEM_WORDS SUBLANES VMEM_ROWS
syn keyword tandemType bf16 c64 f32 f4e2m1fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2
syn keyword tandemType f8e5m2fnuz f8e8m0fnu i1 s32 u16 u2 u32 u4 u64 u8
syn keyword tandemCsr arg_hi arg_lo arg_words bundles_hi bundles_lo cause_branch_hi cause_branch_lo
syn keyword tandemCsr cause_copy_queue_hi cause_copy_queue_lo cause_drain_hi cause_drain_lo
syn keyword tandemCsr cause_eup_hi cause_eup_lo cause_fetch_hi cause_fetch_lo cause_idling_hi
syn keyword tandemCsr cause_idling_lo cause_issued_hi cause_issued_lo cause_mxu_multiply_hi
syn keyword tandemCsr cause_mxu_multiply_lo cause_mxu_push_hi cause_mxu_push_lo cause_mxu_result_hi
syn keyword tandemCsr cause_mxu_result_lo cause_scalar_result_hi cause_scalar_result_lo
syn keyword tandemCsr cause_start_hi cause_start_lo cause_sync_wait_hi cause_sync_wait_lo
syn keyword tandemCsr cause_vector_result_hi cause_vector_result_lo cause_vmem_bank_hi
syn keyword tandemCsr cause_vmem_bank_lo cause_xlu_hi cause_xlu_lo chip chips core_id cycles_hi
syn keyword tandemCsr cycles_lo event_branches_taken_hi event_branches_taken_lo event_copies_hi
syn keyword tandemCsr event_copies_lo event_fetch_bytes_hi event_fetch_bytes_lo
syn keyword tandemCsr event_hbm_read_bytes_hi event_hbm_read_bytes_lo event_hbm_write_bytes_hi
syn keyword tandemCsr event_hbm_write_bytes_lo event_icache_misses_hi event_icache_misses_lo
syn keyword tandemCsr event_mxu_rows_hi event_mxu_rows_lo event_slot_dma_hi event_slot_dma_lo
syn keyword tandemCsr event_slot_ld_hi event_slot_ld_lo event_slot_mx_hi event_slot_mx_lo
syn keyword tandemCsr event_slot_sa_hi event_slot_sa_lo event_slot_sb_hi event_slot_sb_lo
syn keyword tandemCsr event_slot_st_hi event_slot_st_lo event_slot_va_hi event_slot_va_lo
syn keyword tandemCsr event_slot_vb_hi event_slot_vb_lo event_slot_xu_hi event_slot_xu_lo
syn keyword tandemCsr event_vmem_load_bytes_hi event_vmem_load_bytes_lo event_vmem_store_bytes_hi
syn keyword tandemCsr event_vmem_store_bytes_lo hbm_hi hbm_lo icache_bundles id lanes smem_words
syn keyword tandemCsr sublane_count version vmem_rows
syn match tandemFunction /\<\%(abs\|bf16\|defined\|exp2\|f32\|hi\|int\|lo\|log2\|max\|min\|sqrt\)\ze\s*(/
syn match tandemNumber /\<\d[0-9A-Za-z_.]*\>/
syn match tandemRegister /\<\%([sf]\%([12]\?\d\|3[01]\)\|[pm][0-7]\|[va]\%([1-5]\?\d\|6[0-3]\)\)\%(\.\%(b0\|b1\|b2\|b3\|f32\|hi\|lo\)\)\?\>/
syn match tandemType /\%(\.tensor\s\+[^,]\+,\s*\|\.parameter\s\+[^,]\+,[^,]\+,\s*\)\@<=\%(bf16\|c64\|f16\|f32\|f4e2m1fn\|f8e3m4\|f8e4m3\|f8e4m3b11fnuz\|f8e4m3fn\|f8e4m3fnuz\|f8e5m2\|f8e5m2fnuz\|f8e8m0fnu\|i1\|s16\|s2\|s32\|s4\|s8\|u16\|u2\|u32\|u4\|u64\|u8\)\>/
syn match tandemLabel /\<[A-Za-z_.$][A-Za-z0-9_.$]*\ze\s*:/
syn match tandemSlot /\<\%(dma\|ld\|mx\|sa\|sb\|st\|va\|vb\|xu\)\ze\s*:/
syn match tandemAttribute /\<\%(mask\|rows\|stride\)\ze\s*==\@!/
syn match tandemPredicate /@!\?%\?[A-Za-z_.$][A-Za-z0-9_.$]*/
syn match tandemVirtual /%[A-Za-z0-9_.$]\+/
syn match tandemParameter /\\\%([A-Za-z_]\w*\|[@()]\+\)/
syn region tandemString start=/"/ skip=/\\./ end=/"/ oneline
syn match tandemCharacter /'\%([^'\\]\|\\x\x\{1,2}\|\\.\)'/
syn match tandemComment /\%(#\|\/\/\).*$/ contains=@Spell

hi def link tandemMnemonic Keyword
hi def link tandemDirective PreProc
hi def link tandemConstant Constant
hi def link tandemType Type
hi def link tandemCsr Constant
hi def link tandemFunction Function
hi def link tandemNumber Number
hi def link tandemRegister Identifier
hi def link tandemLabel Label
hi def link tandemSlot StorageClass
hi def link tandemAttribute Identifier
hi def link tandemPredicate Conditional
hi def link tandemVirtual Identifier
hi def link tandemParameter Macro
hi def link tandemString String
hi def link tandemCharacter Character
hi def link tandemComment Comment

let b:current_syntax = 'tandem'
