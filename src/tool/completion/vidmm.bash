# Completion of vidmm for bash: commands, options and their choices, read from vidmm's own help.
_vidmm() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} vidmm=${COMP_WORDS[0]}
    local help choices
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$before" = help ]; }; then
        help=$("$vidmm" help 2>/dev/null | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$help --version" -- "$word")
        return
    fi
    help=$("$vidmm" help "${COMP_WORDS[1]}" 2>/dev/null)
    choices=$(sed -n "s/^  $before \([a-z0-9]*|[a-z0-9|]*\).*/\1/p" <<<"$help")
    case $before:$word in
    --*) [ -z "$choices" ] || mapfile -t COMPREPLY < <(compgen -W "${choices//|/ }" -- "$word") ;;
    *:-*) mapfile -t COMPREPLY < <(compgen -W "$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' <<<"$help")" -- "$word") ;;
    esac
    [ -n "$choices" ] || [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _vidmm vidmm
