# fish completion for hearth. Nothing of it starts the program: share/hearth/candidates reads files.
set -g __hearth_candidates (realpath (status dirname)/../../hearth/candidates)
function __hearth_complete
    set -l words (commandline -opc) (commandline -ct)
    for candidate in ($__hearth_candidates $words[2..-1])
        switch $candidate
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $candidate
        end
    end
end
complete -c hearth -f -a '(__hearth_complete)'
