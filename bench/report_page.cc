// The page is put together from its parts, which the build has made strings of: markup, style, program, and the library that
// draws. The data stands in it as JSON in which no < can end the element around it.

#include <stdexcept>

#include "bench/report_assets.h"
#include "bench/report_data.h"

namespace topsplit::bench {
namespace {

void put(std::string& page, const std::string& place, const std::string& text) {
  const std::size_t at = page.find(place);
  if (at != std::string::npos) page.replace(at, place.size(), text);
}

}  // namespace

std::string report_page(const std::string& data) {
  if (report_chart_library[0] == '\0') {
    throw std::runtime_error(
        "report: this command was built without Chart.js (Debian's libjs-chart.js), so there is no page; --csv and "
        "--markdown work");
  }
  std::string safe;
  for (const char c : data) c == '<' ? safe.append("\\u003c") : safe.append(1, c);
  std::string page = report_page_html;
  put(page, "@DATA@", safe);  // the last place first: what is put in may hold the marks of those before it
  put(page, "@PROGRAM@", report_page_js);
  put(page, "@LIBRARY@", report_chart_library);
  put(page, "@STYLE@", report_page_css);
  return page;
}

}  // namespace topsplit::bench
