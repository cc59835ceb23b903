// The program's own malloc family, which the dynamic linker gives to every library of the process, in front of glibc's.
// A sanitizer brings its own malloc, which must stay; it tells its hooks of every call instead. oneTBB's separate
// allocator, libtbbmalloc, takes its memory from the kernel and is seen by neither: it is oneTBB's business.

#include "tests/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TOPSPLIT_TESTS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TOPSPLIT_TESTS_SANITIZED 1
#endif
#endif

namespace {

std::atomic<std::size_t> mallocs{0};
std::atomic<std::size_t> news{0};
std::atomic<std::size_t> frees{0};
std::atomic<std::size_t> bytes{0};

void count_malloc(std::size_t size) noexcept {
  mallocs.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(size, std::memory_order_relaxed);
}

void count_free(const volatile void* p) noexcept {
  if (p != nullptr) {
    frees.fetch_add(1, std::memory_order_relaxed);
  }
}

void* count_new(void* p) {
  news.fetch_add(1, std::memory_order_relaxed);
  return p != nullptr ? p : throw std::bad_alloc();
}

}  // namespace

allocation_count allocations() noexcept { return {mallocs.load(), news.load(), frees.load(), bytes.load()}; }

// Arrays and the nothrow forms come here by the standard's own defaults.
void* operator new(std::size_t size) { return count_new(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t align) {
  const auto to = static_cast<std::size_t>(align);
  return count_new(std::aligned_alloc(to, (size + to - 1) / to * to));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

#ifdef TOPSPLIT_TESTS_SANITIZED

// As sanitizer/allocator_interface.h declares it, which not every compiler's package has.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, std::size_t),
                                                         void (*free_hook)(const volatile void*));

namespace {
const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t size) { count_malloc(size); }, [](const volatile void* p) { count_free(p); });
}

#else

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* p, std::size_t size);
void* __libc_memalign(std::size_t align, std::size_t size);
void __libc_free(void* p);

void* malloc(std::size_t size) noexcept {
  count_malloc(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  count_malloc(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) noexcept {
  count_malloc(size);
  return __libc_realloc(p, size);
}
void* memalign(std::size_t align, std::size_t size) noexcept {
  count_malloc(size);
  return __libc_memalign(align, size);
}
void* aligned_alloc(std::size_t align, std::size_t size) noexcept { return memalign(align, size); }
int posix_memalign(void** result, std::size_t align, std::size_t size) noexcept {
  void* const p = memalign(align, size);
  if (p == nullptr) {
    return ENOMEM;
  }
  *result = p;
  return 0;
}
void* valloc(std::size_t size) noexcept { return memalign(4096, size); }
void free(void* p) noexcept {
  count_free(p);
  __libc_free(p);
}

}  // extern "C"

#endif
