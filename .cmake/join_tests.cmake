# cmake -DFOLDER=folder "-DSOURCES=a.cpp|b.cpp" -DJOINED=file -P join_tests.cmake: writes a source that includes all of them,
# each in a namespace of its name. What they include themselves comes first, so that it is in none.
string(REPLACE "|" ";" SOURCES "${SOURCES}")
set(included "")
set(joined "")
foreach(source IN LISTS SOURCES)
  file(STRINGS "${FOLDER}/${source}" lines REGEX "^#include [<\"].*[>\"]$")
  list(FILTER lines EXCLUDE REGEX "\\.moc\"$")
  list(APPEND included ${lines})
  get_filename_component(unit ${source} NAME_WE)
  string(APPEND joined "namespace ${unit} {\n#include \"${FOLDER}/${source}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES included)
list(JOIN included "\n" included)
# The last two are what moc's files include.
file(WRITE "${JOINED}" "${included}\n#include <memory>\n#include <QtCore/qmetatype.h>\n\n${joined}")
