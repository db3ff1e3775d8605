# Where an installed Hearth has its files, and the Debian packages that `ninja package` makes of it: "hearth" (window and
# command line, where it is built) and "hearth-agent" (agent, coordinator, worker). Included last: it names targets of all
# folders.
if(HEARTH_CUDA)
  include(HearthCudaPackage)
  return()
endif()
set(packaging "${CMAKE_SOURCE_DIR}/resources/packages")
set(made "${CMAKE_BINARY_DIR}/installed_files")
set(HEARTH_RELEASE_DATE 2026-11-22)
# As bash, zsh and fish look for them; tests/packages holds the options to what the program says.
set(HEARTH_AGENT_OPTIONS "--state --listen --no-mdns --name --threads --memory --no-card --may-sleep --trusted-fabric --group-socket --yes-code \
--json --parent-pipe --ephemeral --help --help-all --version")
function(hearth_completion program component)
  foreach(shell bash zsh fish)
    configure_file("${packaging}/completion/${program}.${shell}" "${made}/${program}.${shell}" @ONLY)
  endforeach()
  install(FILES "${made}/${program}.bash" RENAME ${program} COMPONENT ${component}
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${made}/${program}.zsh" RENAME _${program} COMPONENT ${component}
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
  install(FILES "${made}/${program}.fish" COMPONENT ${component} DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endfunction()
find_program(HEARTH_GZIP gzip REQUIRED)
find_program(HEARTH_LOWDOWN lowdown REQUIRED)
set(components agent)
if(HEARTH_GUI)
  list(PREPEND components app)
endif()

# hearth_compressed(SOURCE TARGET): fills in the version and makes `made`/TARGET.gz, the same bytes from the same text.
function(hearth_compressed source target)
  configure_file("${packaging}/${source}" "${made}/${target}" @ONLY)
  execute_process(COMMAND "${HEARTH_GZIP}" -9nc "${made}/${target}" OUTPUT_FILE "${made}/${target}.gz"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

hearth_compressed(changelog.in changelog)
foreach(component IN LISTS components)
  string(REPLACE "hearth-app" "hearth" package "hearth-${component}")
  install(FILES "${packaging}/copyright" "${made}/changelog.gz" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}"
    COMPONENT ${component})
endforeach()

# hearth_man(PAGE NAME SECTION COMPONENT WHAT): NAME(SECTION), made of resources/manual/PAGE.md and installed.
function(hearth_man page name section component what)
  set(source "${CMAKE_SOURCE_DIR}/resources/manual/${page}.md")
  set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" text)
  # Links lead to other pages of the manual; on paper their words are enough.
  string(REGEX REPLACE "\\[([^][]*)\\]\\([^)]*\\)" "\\1" text "${text}")
  # Tables become lists of terms: the first column, with the second of three in brackets.
  string(REPLACE "\\|" "@bar@" text "${text}")
  string(REGEX REPLACE "\n\\|[^\n]*\\|\n\\|[-|]+\\|" "\n" text "${text}")
  string(REGEX REPLACE "\n\\| ([^|\n]*) \\| ([^|\n]*) \\| ([^|\n]*) \\|" "\n\n\\1 (\\2)\n:   \\3" text "${text}")
  string(REGEX REPLACE "\n\\| ([^|\n]*) \\| ([^|\n]*) \\|" "\n\n\\1\n:   \\2" text "${text}")
  string(REPLACE "@bar@" "|" text "${text}")
  string(REGEX REPLACE "^# [^\n]*" "# Name\n\n${name} - ${what}\n\n# Description" text "${text}")
  file(WRITE "${made}/${name}.md" "${text}")
  execute_process(
    COMMAND "${HEARTH_LOWDOWN}" -s -Tman -M title=${name} -M section=${section} -M date=${HEARTH_RELEASE_DATE}
      -M "source=Hearth ${HEARTH_VERSION}" -M volume=Hearth -o "${made}/${name}.${section}" "${made}/${name}.md"
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${HEARTH_GZIP}" -9nc "${made}/${name}.${section}"
    OUTPUT_FILE "${made}/${name}.${section}.gz" COMMAND_ERROR_IS_FATAL ANY)
  install(FILES "${made}/${name}.${section}.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}" COMPONENT ${component})
endfunction()

hearth_man(agent hearth-agent 1 agent "make this computer a device of a Hearth home")
if(HEARTH_GUI)
  hearth_man(command-line hearth 1 app "train neural networks together on the devices of a home")
  hearth_man(job hearth-job 5 app "what Hearth is to train")
  hearth_man(model hearth-model 5 app "networks that Hearth trains")
  hearth_man(plan hearth-plan 5 app "plans of Hearth, and the problems that they answer")
  hearth_man(events hearth-events 5 app "what happened in a run of Hearth")
endif()

install(TARGETS hearth-agent DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT agent)
# Nobody starts these by hand.
install(TARGETS hearth-coordinator hearth-worker DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/hearth" COMPONENT agent)
# Beside hearth-worker, as where it was built.
install(FILES ${HEARTH_STUBS} DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/hearth/stubs" COMPONENT agent)
hearth_completion(hearth-agent agent)

if(HEARTH_GUI)
  install(TARGETS hearth DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT app)
  configure_file("${packaging}/org.hearth.Hearth.metainfo.xml.in" "${made}/org.hearth.Hearth.metainfo.xml" @ONLY)
  install(FILES "${packaging}/org.hearth.Hearth.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT app)
  install(FILES "${made}/org.hearth.Hearth.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT app)
  install(FILES "${packaging}/org.hearth.Hearth.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps"
    COMPONENT app)
  hearth_completion(hearth app)
  # Nobody installs sanitized programs, and a leak would end the build.
  if(NOT HEARTH_SANITIZE)
    add_custom_command(OUTPUT "${made}/completion-words"
      COMMAND "${packaging}/completion/make-words" $<TARGET_FILE:hearth> > "${made}/completion-words"
      DEPENDS hearth "${packaging}/completion/make-words")
    add_custom_target(completion_words ALL DEPENDS "${made}/completion-words")
    install(FILES "${made}/completion-words" DESTINATION "${CMAKE_INSTALL_DATADIR}/hearth" COMPONENT app)
  endif()
  install(PROGRAMS "${packaging}/completion/candidates" DESTINATION "${CMAKE_INSTALL_DATADIR}/hearth" COMPONENT app)
endif()

# The prefix is known for certain when things are installed.
foreach(manager system user)
  install(CODE "
    set(HEARTH_BINDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
    configure_file(\"${packaging}/agent/${manager}.service.in\" \"${made}/${manager}/hearth-agent.service\" @ONLY)"
    COMPONENT agent)
  install(FILES "${made}/${manager}/hearth-agent.service" DESTINATION "lib/systemd/${manager}" COMPONENT agent)
endforeach()
install(FILES "${packaging}/agent/sysusers.conf" RENAME hearth-agent.conf DESTINATION lib/sysusers.d COMPONENT agent)
install(FILES "${packaging}/agent/polkit.rules" RENAME hearth-agent.rules
  DESTINATION "${CMAKE_INSTALL_DATADIR}/polkit-1/rules.d" COMPONENT agent)

include(HearthDebian)
set(CPACK_PACKAGE_NAME hearth)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

set(CPACK_DEBIAN_APP_PACKAGE_NAME hearth)
set(CPACK_DEBIAN_APP_DESCRIPTION "train neural networks together on the devices of a home
The desktop app of Hearth, which is also its command line. It shows the devices
of a home that trust each other, plans which of them computes which layers of a
neural network, and shows the training live; the result is mathematically that
of a single device.
.
\"hearth demo\" trains in a home of three devices inside one computer.")
# Plugins, which no program is linked to: History's index, and Wayland windows.
set(CPACK_DEBIAN_APP_PACKAGE_DEPENDS "libqt6sql6-sqlite")
set(CPACK_DEBIAN_APP_PACKAGE_RECOMMENDS "dataset-fashion-mnist, fonts-dejavu-core, qt6-wayland")

set(CPACK_DEBIAN_AGENT_PACKAGE_NAME hearth-agent)
set(CPACK_DEBIAN_AGENT_DESCRIPTION "device of a home that trains neural networks together
The daemon that makes this computer a device of a Hearth home, with the
coordinator and the worker that it starts for a training. It needs no display.
.
It comes with a systemd unit for each user and one for the system, as a user of
its own. Neither is enabled by installing it.")
# LibTorch's small matrix products are several times slower with another BLAS.
set(CPACK_DEBIAN_AGENT_PACKAGE_RECOMMENDS "avahi-daemon, libopenblas0-pthread, qt6-image-formats-plugins")
set(CPACK_DEBIAN_AGENT_PACKAGE_CONTROL_EXTRA
  "${packaging}/agent/postinst;${packaging}/agent/prerm;${packaging}/agent/postrm")

if(CMAKE_CROSSCOMPILING)
  include(HearthForeignPackages)
endif()

include(CPack)
cpack_add_component(agent)
if(HEARTH_GUI)
  cpack_add_component(app DEPENDS agent)
endif()
