// Memory for a call under test: bytes at a chosen distance from a 64-byte boundary between two red zones. The zones hold a
// pattern that intact() checks; under ASan they are poisoned as well, so that reading them is caught too.

#ifndef TOPSPLIT_TESTS_RED_ZONE_H
#define TOPSPLIT_TESTS_RED_ZONE_H

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define TOPSPLIT_TESTS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TOPSPLIT_TESTS_ASAN 1
#endif
#endif
#ifdef TOPSPLIT_TESTS_ASAN
#include <sanitizer/asan_interface.h>
#endif

class red_zone_buffer {
 public:
  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t zone = 128;
  static constexpr std::byte untouched{0x5a};  // what the bytes between the zones hold at first
  static constexpr std::byte pattern{0xc7};

  explicit red_zone_buffer(std::size_t size, std::size_t shift = 0)
      : size_(size),
        total_(zone + shift + size + zone),
        memory_(static_cast<std::byte*>(::operator new (total_, std::align_val_t{alignment}))),
        data_(memory_.get() + zone + shift) {
    std::fill_n(memory_.get(), total_, pattern);
    refill();
    poison(true);
  }
  red_zone_buffer(const void* bytes, std::size_t size, std::size_t shift) : red_zone_buffer(size, shift) {
    if (size != 0) {
      std::memcpy(data_, bytes, size);
    }
  }
  red_zone_buffer(red_zone_buffer&&) = default;
  ~red_zone_buffer() {
    if (memory_ != nullptr) {
      poison(false);
    }
  }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  void refill() { std::fill_n(data_, size_, untouched); }
  bool holds(const void* bytes) const { return size_ == 0 || std::memcmp(data_, bytes, size_) == 0; }
  bool is_untouched() const {
    return std::all_of(data_, data_ + size_, [](std::byte b) { return b == untouched; });
  }
  bool intact() const {
    poison(false);
    const auto is_pattern = [](std::byte b) { return b == pattern; };
    const bool result =
        std::all_of(front(), front_end(), is_pattern) && std::all_of(data_ + size_, memory_.get() + total_, is_pattern);
    poison(true);
    return result;
  }

 private:
  struct release {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{alignment}); }
  };
  const std::byte* front() const { return memory_.get(); }
  const std::byte* front_end() const { return data_; }

  void poison([[maybe_unused]] bool on) const {
#ifdef TOPSPLIT_TESTS_ASAN
    const auto set = on ? __asan_poison_memory_region : __asan_unpoison_memory_region;
    set(front(), zone);  // ends on a boundary that ASan can express, wherever the data begins
    set(data_ + size_, zone);
#endif
  }

  std::size_t size_;
  std::size_t total_;
  std::unique_ptr<std::byte, release> memory_;
  std::byte* data_;
};

#endif
