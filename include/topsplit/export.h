// TOPSPLIT_EXPORT marks what the library exports; everything else is hidden.
// A build that links the static library defines TOPSPLIT_STATIC (the CMake target and the .pc file do).

#ifndef TOPSPLIT_EXPORT_H
#define TOPSPLIT_EXPORT_H

#if defined(TOPSPLIT_STATIC)
#define TOPSPLIT_EXPORT
#elif defined(__GNUC__)
#define TOPSPLIT_EXPORT __attribute__((visibility("default")))
#else
#define TOPSPLIT_EXPORT
#endif

#endif
