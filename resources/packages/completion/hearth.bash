# bash completion for hearth. Nothing of it starts the program: share/hearth/candidates reads files.
_hearth() {
    local current=${COMP_WORDS[COMP_CWORD]} folder=${BASH_SOURCE[0]%/*}/../../hearth candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in
        :files) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
        :folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        "$current"*) COMPREPLY+=("$(printf %q "$candidate")") ;;
        esac
    done < <("$folder/candidates" "${COMP_WORDS[@]:1:COMP_CWORD}")
}
complete -F _hearth hearth
