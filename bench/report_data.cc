#include "bench/report_data.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace topsplit::bench {
namespace {

using json = nlohmann::ordered_json;

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double nanoseconds_of(const json& run) {
  const std::string unit = run.at("time_unit");
  const double scale = unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : 1e9;
  return run.at("real_time").get<double>() * scale;
}

void read_points(const json& document, measured_result& result) {
  std::map<std::string, std::vector<double>> samples;
  for (const json& run : document.at("benchmarks")) {
    if (run.at("run_type") == "iteration") samples[run.at("point")].push_back(nanoseconds_of(run));
  }
  for (const json& fields : document.at("points")) {
    measured_point point;
    point.fields = fields;
    point.name = fields.at("name");
    point.is_ours = fields.at("way") == "topsplit";
    const std::vector<double>& times = samples[point.name];
    if (times.empty() || !(*std::min_element(times.begin(), times.end()) > 0)) {
      throw std::invalid_argument("the point " + point.name + " has no times");
    }
    point.median_ns = median_of(times);
    point.least_ns = *std::min_element(times.begin(), times.end());
    point.most_ns = *std::max_element(times.begin(), times.end());
    (void)point.gigabytes_per_second();  // that it can be told
    result.points.push_back(std::move(point));
  }
}

// The limit of the same shape, a read for TopK, a copy for Split: the best on as many threads or fewer, since small
// shapes only lose by being shared.
void find_limits(measured_result& result) {
  std::map<std::string, std::map<int, double>> limits;  // by shape and threads
  for (const measured_point& point : result.points) {
    const bool is_topk = point.fields.at("op") == "topk";
    if (point.fields.at("way") != (is_topk ? "read" : "copy")) continue;
    limits[point.fields.at("shape")][point.fields.at("threads")] = point.median_ns;
  }
  for (measured_point& point : result.points) {
    const int threads = point.fields.at("threads");
    for (const auto& [count, ns] : limits[point.fields.at("shape")]) {
      const bool is_best = point.limit == 0 || ns / point.median_ns < point.limit;
      if (count <= threads && is_best) point.limit = ns / point.median_ns;
    }
  }
}

}  // namespace

const measured_point* measured_result::find(const std::string& name) const {
  for (const measured_point& point : points) {
    if (point.name == name) return &point;
  }
  return nullptr;
}

measured_result read_result(const std::string& label, const std::string& text) {
  try {
    const json document = json::parse(text);
    measured_result result;
    result.label = label;
    result.settings = document.at("topsplit");
    result.context = document.value("context", json::object());
    result.plans = document.at("plans");
    read_points(document, result);
    find_limits(result);
    return result;
  } catch (const json::exception&) {
    throw std::invalid_argument("not a result of topsplit sweep");
  }
}

std::vector<measured_change> compare(const measured_result& before, const measured_result& after,
                                     double threshold_percent) {
  std::vector<measured_change> changes;
  for (const measured_point& now : after.points) {
    const measured_point* then = before.find(now.name);
    if (then == nullptr) continue;
    const double percent = (now.median_ns / then->median_ns - 1) * 100;
    const char* verdict = "same";
    if (percent > threshold_percent && now.least_ns > then->most_ns) verdict = "slower";
    if (percent < -threshold_percent && now.most_ns < then->least_ns) verdict = "faster";
    changes.push_back({then, &now, percent, std::max(then->spread_percent(), now.spread_percent()), verdict});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const measured_change& a, const measured_change& b) { return a.percent > b.percent; });
  return changes;
}

}  // namespace topsplit::bench
