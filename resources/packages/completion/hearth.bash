# bash completion for hearth. Nothing of it starts the program: share/hearth/candidates reads files.
_hearth() {
    local current=${COMP_WORDS[COMP_CWORD]} folder=${BASH_SOURCE[0]%/*}/../../hearth candidate files='' i
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in
        :files) files=1; compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
        :folders) files=1; compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        "$current"*) COMPREPLY+=("$candidate") ;;
        esac
    done < <("$folder/candidates" "${COMP_WORDS[@]:1:COMP_CWORD}")
    # Where files are among them, the shell quotes all.
    [ -n "$files" ] || for i in "${!COMPREPLY[@]}"; do printf -v "COMPREPLY[$i]" %q "${COMPREPLY[i]}"; done
}
complete -F _hearth hearth
