// A square root for sizes of samples and their deviations, near enough for these. <cmath> is not for kernels.

#ifndef TOPSPLIT_ARCH_KERNELS_SQUARE_ROOT_INL_H
#define TOPSPLIT_ARCH_KERNELS_SQUARE_ROOT_INL_H

namespace topsplit::TOPSPLIT_KERNELS {

// Newton's, from above, until it is right to half a percent; 1 for what is below 1.
inline double square_root(double a) {
  double root = a > 1 ? a : 1;
  while (root * root > 1.01 * a && root > 1) root = (root + a / root) / 2;
  return root > 1 ? root : 1;
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
