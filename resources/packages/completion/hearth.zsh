#compdef hearth
# Nothing of it starts the program: share/hearth/candidates reads files.
local folder=${functions_source[_hearth]:A:h}/../../hearth
local -a listed
listed=("${(@f)$("$folder/candidates" "${(@)words[2,CURRENT]}")}")
(( ${listed[(I):folders]} )) && _files -/
(( ${listed[(I):files]} )) && _files
listed=("${(@)listed:#:f*}")
compadd -- "${(@)listed:#}"
