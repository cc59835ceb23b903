// PyTorch's CPU kernels, a module of its own: topk and split_with_sizes_copy into tensors that lie where the outputs do.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/api/include/torch/version.h>

#include "bench/peers.h"

namespace topsplit::bench {
namespace {

at::ScalarType scalar_of(data_type type) {
  switch (type) {
    case data_type::f32:
      return at::kFloat;
    case data_type::f64:
      return at::kDouble;
    case data_type::f16:
      return at::kHalf;
    case data_type::bf16:
      return at::kBFloat16;
    case data_type::i8:
      return at::kChar;
    case data_type::i16:
      return at::kShort;
    case data_type::i32:
      return at::kInt;
    case data_type::i64:
      return at::kLong;
    case data_type::u8:
      return at::kByte;
    default:
      return at::ScalarType::Undefined;
  }
}

at::Tensor view_of(const void* data, at::IntArrayRef shape, at::ScalarType type) {
  return at::from_blob(const_cast<void*>(data), shape, at::TensorOptions().dtype(type));
}

// Runs a call on so many threads; what PyTorch throws becomes a status.
template <class F>
status guarded(int threads, F call) {
  try {
    if (at::get_num_threads() != threads) at::set_num_threads(threads);
    const c10::InferenceMode no_gradients;
    call();
    return status();
  } catch (const std::exception&) {
    return status(status_code::unsupported_type);
  }
}

class torch_peer : public peer {
 public:
  std::string version() const override { return TORCH_VERSION; }

  way topk_way(const baseline_problem& p, int threads) override {
    const at::ScalarType type = scalar_of(p.type);
    if (type == at::ScalarType::Undefined || p.k == 0) return {};
    return [p, type, threads](const std::byte* input, const tensors& t) {
      return guarded(threads, [&] {
        const auto size = [](std::size_t length) { return static_cast<std::int64_t>(length); };
        const std::int64_t in[] = {size(p.outer), size(p.n), size(p.inner)};
        const std::int64_t out[] = {size(p.outer), size(p.k), size(p.inner)};
        at::Tensor values = view_of(t.outputs[0].data(), out, type);
        at::Tensor indices = view_of(t.outputs[1].data(), out, at::kLong);
        at::topk_out(values, indices, view_of(input, in, type), out[1], 1, p.select == topk_select::largest,
                     p.order == topk_order::by_value);
      });
    };
  }

  way split_way(const split_layout& l, int threads) override {
    const at::ScalarType type = scalar_of(l.type);
    if (type == at::ScalarType::Undefined) return {};
    return [&l, type, threads](const std::byte* input, const tensors& t) {
      return guarded(threads, [&] {
        const std::size_t rank = l.shape.size();
        std::vector<at::Tensor> parts;
        for (std::size_t i = 0; i < l.sizes.size(); ++i) {
          parts.push_back(view_of(t.outputs[i].data(), at::IntArrayRef(&l.shapes[i * rank], rank), type));
        }
        at::split_with_sizes_copy_out(parts, view_of(input, l.shape, type), l.sizes, l.axis);
      });
    };
  }
};

}  // namespace
}  // namespace topsplit::bench

extern "C" __attribute__((visibility("default"))) topsplit::bench::peer* topsplit_make_torch_peer() {
  return new topsplit::bench::torch_peer;
}
