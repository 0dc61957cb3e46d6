" Assembly for Tandem: a text that says so in its first fifty lines; all of a project with
" `let g:tandem_assembly = 1`.
function! s:Detect() abort
  let l:words = '^\s*\.\(target\|tensor\|linear\|arguments\|vmem\|smem\|parameter\)\>'
  if get(g:, 'tandem_assembly', 0) || !empty(filter(getline(1, 50), 'v:val =~# l:words'))
    setlocal filetype=tandem
  endif
endfunction
autocmd BufRead,BufNewFile *.s,*.inc call s:Detect()
