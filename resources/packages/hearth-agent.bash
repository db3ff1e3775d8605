# bash completion for hearth-agent: options are read from the program's own help.
_hearth_agent() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [ "$previous" = --state ]; then
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
    elif [ "$previous" = trust ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    elif [[ $current == -* ]]; then
        local options
        options=$("${COMP_WORDS[0]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -W 'init trust distrust pair status leave' -- "$current")
    fi
}
complete -o filenames -F _hearth_agent hearth-agent
