# cpack reads this before it makes packages: what another version left in their folder goes, bundles as well. So hearth*.deb
# is of one build, and no installation takes an older bundle.
file(GLOB others "${CPACK_PACKAGE_DIRECTORY}/hearth*_*.deb" "${CPACK_PACKAGE_DIRECTORY}/hearth-agent-bundle_*.tar.gz")
foreach(other IN LISTS others)
  get_filename_component(name "${other}" NAME)
  string(FIND "${name}" "_${CPACK_PACKAGE_VERSION}_" place)
  if(place EQUAL -1)
    file(REMOVE "${other}")
  endif()
endforeach()
