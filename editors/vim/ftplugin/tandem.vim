" Comments, and :make with the assembler's diagnostics in the list of errors.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=#\ %s comments=:#,://
setlocal makeprg=tandem\ asm\ %:S\ -o\ /dev/null
setlocal errorformat=%f:%l:%c:\ %trror[%m,%f:%l:%c:\ %tarning[%m,%-G%.%#
let b:undo_ftplugin = 'setlocal commentstring< comments< makeprg< errorformat<'
