// Runs a function on a stack of its own that was painted before, and tells how deep it went.

#ifndef TOPSPLIT_TESTS_PAINTED_STACK_H
#define TOPSPLIT_TESTS_PAINTED_STACK_H

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

class painted_stack {
 public:
  static constexpr std::size_t size = 256 * 1024;

  painted_stack() {
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) {
      throw std::runtime_error("no memory for a stack");
    }
    bytes_ = static_cast<std::byte*>(memory);
  }
  painted_stack(const painted_stack&) = delete;
  ~painted_stack() { munmap(bytes_, size); }

  // The bytes from the top of the stack to the lowest one that the function, and all it calls, wrote. What the switch
  // itself takes, a few hundred bytes, is part of that.
  template <class F>
  std::size_t depth_of(F f) {
    std::function<void()> function = f;
    std::fill(bytes_ + clean_, bytes_ + size, paint);
    ucontext_t here;
    ucontext_t there;
    getcontext(&there);
    there.uc_stack.ss_sp = bytes_;
    there.uc_stack.ss_size = size;
    there.uc_link = &here;
    // makecontext hands over ints: the address goes in two halves.
    const auto address = reinterpret_cast<std::uintptr_t>(&function);
    makecontext(&there, reinterpret_cast<void (*)()>(&enter), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address & 0xffffffffu));
    swapcontext(&here, &there);
    const auto* lowest = std::find_if(bytes_, bytes_ + size, [](std::byte b) { return b != paint; });
    clean_ = static_cast<std::size_t>(lowest - bytes_);
    return size - clean_;
  }

 private:
  static constexpr std::byte paint{0xd6};

  static void enter(unsigned high, unsigned low) {
    (*reinterpret_cast<std::function<void()>*>((static_cast<std::uintptr_t>(high) << 32) | low))();
  }

  std::byte* bytes_;
  std::size_t clean_ = 0;  // so many from the lowest on are painted
};

#endif
