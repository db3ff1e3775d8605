# bash completion for hearth-agent.
_hearth_agent() {
    local current=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    case ${COMP_WORDS[COMP_CWORD - 1]} in
    --state) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    trust) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '@HEARTH_AGENT_OPTIONS@' -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -W 'init trust distrust pair status leave' -- "$current")
    fi
}
complete -F _hearth_agent hearth-agent
