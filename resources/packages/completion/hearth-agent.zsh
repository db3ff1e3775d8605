#compdef hearth-agent
case ${words[CURRENT-1]} in
--state) _files -/ ;;
trust) _files ;;
*)
    if [[ ${words[CURRENT]} == -* ]]; then
        compadd -- @HEARTH_AGENT_OPTIONS@
    else
        compadd -- init trust distrust pair status leave
    fi
    ;;
esac
