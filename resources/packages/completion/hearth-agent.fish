# fish completion for hearth-agent.
complete -c hearth-agent -f -a 'init trust distrust pair status leave'
complete -c hearth-agent -n '__fish_seen_subcommand_from trust' -F
complete -c hearth-agent -l state -r -a '(__fish_complete_directories (commandline -ct))'
for option in @HEARTH_AGENT_OPTIONS@
    complete -c hearth-agent -l (string replace -- -- '' $option)
end
