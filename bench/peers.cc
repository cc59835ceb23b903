// Finding peers, the standard library as one of them, and judging what a peer leaves in the outputs.

#include "bench/peers.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace topsplit::bench {
namespace {

class std_peer : public peer {
 public:
  std::string version() const override { return "std::partial_sort of indices; memcpy of each piece"; }

  way topk_way(const baseline_problem& problem, int threads) override {
    if (threads != 1) return {};
    return [problem](const std::byte* input, const tensors& t) {
      auto* indices = reinterpret_cast<std::int64_t*>(t.outputs[1].data());
      const bool known = baseline_topk(problem, input, t.outputs[0].data(), indices);
      return known ? status() : status(status_code::unsupported_type);
    };
  }

  way split_way(const split_layout& layout, int threads) override { return threads == 1 ? memcpy_each(layout) : way(); }
};

// PyTorch is large and brings threads of its own, so its peer is a module beside the command, loaded only when asked for.
std::unique_ptr<peer> open_torch_peer() {
  const std::string module = "topsplit_peer_torch.so";
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const auto& folder : {here, here / "../../bench", here / "../lib/topsplit"}) {
    const std::filesystem::path path = folder / module;
    if (!std::filesystem::exists(path)) continue;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(std::string("--against torch: ") + dlerror());
    const auto make = reinterpret_cast<peer* (*)()>(dlsym(library, "topsplit_make_torch_peer"));
    if (make == nullptr) throw std::runtime_error("--against torch: " + path.string() + " is no peer");
    return std::unique_ptr<peer>(make());
  }
  throw std::runtime_error("--against torch: there is no " + module +
                           " beside the command: it is built where libtorch-dev is found");
}

// One slice's results as bytes that sort: an index alone, or a value.
std::vector<std::string_view> slice_of(const buffer& all, const baseline_problem& p, std::size_t bytes,
                                       std::size_t slice) {
  const std::size_t first = slice / p.inner * p.k * p.inner + slice % p.inner;
  std::vector<std::string_view> items;
  for (std::size_t i = 0; i < p.k; ++i) {
    items.emplace_back(reinterpret_cast<const char*>(all.data()) + (first + i * p.inner) * bytes, bytes);
  }
  std::sort(items.begin(), items.end());
  return items;
}

bool same_sets(const baseline_problem& p, std::size_t bytes, const buffer& a, const buffer& b) {
  for (std::size_t slice = 0; slice < p.outer * p.inner; ++slice) {
    if (slice_of(a, p, bytes, slice) != slice_of(b, p, bytes, slice)) return false;
  }
  return true;
}

bool same_bytes(const buffer& a, const buffer& b) { return std::memcmp(a.data(), b.data(), a.size()) == 0; }

}  // namespace

std::unique_ptr<peer> open_std_peer() { return std::make_unique<std_peer>(); }

#ifndef TOPSPLIT_BENCH_FAISS
std::unique_ptr<peer> open_faiss_peer() { return nullptr; }
#endif

std::unique_ptr<peer> open_peer(const std::string& name) {
  if (name == "std") return open_std_peer();
  if (name == "torch") return open_torch_peer();
  if (name.rfind("ort:", 0) == 0) return open_ort_peer(name.substr(4));
  if (name == "faiss") {
    std::unique_ptr<peer> found = open_faiss_peer();
    if (found == nullptr) throw std::runtime_error("--against faiss: this build has none: libfaiss-dev was not found");
    return found;
  }
  throw std::runtime_error("--against: \"" + name + "\" is none of ort:PATH, torch, faiss, std");
}

std::string judge_topk(const baseline_problem& p, const std::vector<buffer>& expected, const std::vector<buffer>& got) {
  const std::size_t element_bytes = data_type_bytes(p.type);
  const bool values_equal = same_bytes(expected[0], got[0]);
  if (values_equal && same_bytes(expected[1], got[1])) return "equal";
  if (same_sets(p, sizeof(std::int64_t), expected[1], got[1])) {
    return values_equal ? "the same elements; ties in another order" : "the same elements in another order";
  }
  if (values_equal) return "the same values; of ties other elements";
  if (same_sets(p, element_bytes, expected[0], got[0]))
    return "the same values in another order; of ties other elements";
  return "differs";
}

std::string judge_split(const std::vector<buffer>& expected, const std::vector<buffer>& got) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!same_bytes(expected[i], got[i])) return "differs";
  }
  return "equal";
}

}  // namespace topsplit::bench
