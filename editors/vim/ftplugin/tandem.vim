" Comments, and :make with the assembler's diagnostics in the list of errors.
" Not `did_ftplugin`: Vim's own asm.vim, which comes first for *.s, has set it and gives no way to undo it.
if exists('b:did_tandem_ftplugin')
  finish
endif
let b:did_tandem_ftplugin = 1
let b:did_ftplugin = 1
setlocal commentstring=#\ %s comments=:#,://
setlocal makeprg=tandem\ asm\ %:S\ -o\ /dev/null
setlocal errorformat=%f:%l:%c:\ %trror%m,%f:%l:%c:\ %tarning%m,%-G%.%#
let b:undo_ftplugin = 'setlocal commentstring< comments< makeprg< errorformat<'
  \ . ' | unlet! b:did_tandem_ftplugin'
