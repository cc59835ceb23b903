// Files that the build makes strings of (embed.cmake).

#ifndef TOPSPLIT_BENCH_REPORT_ASSETS_H
#define TOPSPLIT_BENCH_REPORT_ASSETS_H

namespace topsplit::bench {

extern const char* const report_page_html;
extern const char* const report_page_css;
extern const char* const report_page_js;
extern const char* const report_chart_library;  // "" where it was not found

}  // namespace topsplit::bench

#endif
