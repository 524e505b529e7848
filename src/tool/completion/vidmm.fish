# Completion of vidmm for fish: commands, options and their choices, read from vidmm's own help.
function __vidmm_commands
    vidmm help | string replace -rf '^  ([a-z]+)  +(.*)' '$1\t$2'
end

function __vidmm_options
    set -l words (commandline -opc)
    set -l choices (vidmm help $words[2] 2>/dev/null | string replace -rf -- "^  $words[-1] ([a-z0-9]*\\|[a-z0-9|]*).*" '$1')
    if test -n "$choices"
        string split '|' $choices
    else
        vidmm help $words[2] 2>/dev/null | string replace -rf '^  (--[a-z-]*).*' '$1'
    end
end

complete -c vidmm -n __fish_use_subcommand -f -a '(__vidmm_commands)'
complete -c vidmm -n '__fish_seen_subcommand_from help' -f -a '(__vidmm_commands)'
complete -c vidmm -n 'not __fish_use_subcommand; and not __fish_seen_subcommand_from help' -a '(__vidmm_options)'
