# SPDX-License-Identifier: MIT
# Packages: cmake --build build/release --target package (a .deb and a .tar.gz of the program).
# The tarball of the sources is made by packaging/source-tarball.
set(CPACK_PACKAGE_NAME jetsam-audit)
set(CPACK_PACKAGE_CONTACT "jetsam-audit maintainers <maintainers@jetsam-audit.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "offline forensic analyzer of memory evidence")
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${PROJECT_HOMEPAGE_URL})
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Reads saved memory evidence (Jetsam and panic reports, footprint and vmmap
dumps, Linux proc snapshots, kernel logs with out-of-memory kills, output of
ps and top), joins it into one timeline, and says what it proves, what it
fits and what it cannot tell. Writes a postmortem, a picture and a workbook.")
include(CPack)
