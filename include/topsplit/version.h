// The version, written here and nowhere else: CMakeLists.txt reads these lines, C and C++ programs include them.
//
// Version rule: while the major version is 0, a new minor version may change the ABI and the SONAME carries both; from
// 1.0 on only a new major version may. A patch version never changes it.

#ifndef TOPSPLIT_VERSION_H
#define TOPSPLIT_VERSION_H

#define TOPSPLIT_VERSION_MAJOR 0
#define TOPSPLIT_VERSION_MINOR 1
#define TOPSPLIT_VERSION_PATCH 0

#endif
