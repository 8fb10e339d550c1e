// SPDX-License-Identifier: Apache-2.0
// Timeline of an unchanged CUDA program, by device and stream:
//
//   CUDA_INJECTION64_PATH=build/cuda/benchmarks/libkolam_timeline.so KOLAM_TIMELINE=run.json kolam
//   jacobi
//   ...
//
// writes kernels and copies as a Chrome trace (chrome://tracing, ui.perfetto.dev, plot.py). Source:
// the activity API of CUPTI.
#include <cupti.h>
#include <cxxabi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace {

struct Free {
  void operator()(char* text) const { std::free(text); }
};

class Trace {
 public:
  void add(const std::string& name, std::uint64_t start, std::uint64_t end, std::uint32_t device,
           std::uint32_t stream) {
    const std::lock_guard lock(mutex_);
    constexpr double microseconds = 1e-3;
    events_.push_back({{"name", name},
                       {"ph", "X"},
                       {"ts", static_cast<double>(start) * microseconds},
                       {"dur", static_cast<double>(end - start) * microseconds},
                       {"pid", device},
                       {"tid", stream}});
  }
  void write() {
    const char* const path = std::getenv("KOLAM_TIMELINE");
    std::FILE* const file = std::fopen(path == nullptr ? "timeline.json" : path, "w");
    if (file == nullptr) return std::perror("KOLAM_TIMELINE");
    const std::lock_guard lock(mutex_);
    const std::string text = nlohmann::json{{"traceEvents", std::move(events_)}}.dump();
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }

 private:
  std::mutex mutex_;
  nlohmann::json events_ = nlohmann::json::array();
};

Trace& trace() {
  static auto* const all = new Trace;  // CUPTI may call until the very end
  return *all;
}

std::string readable(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, Free> text(abi::__cxa_demangle(mangled, nullptr, nullptr, &status));
  return status == 0 ? text.get() : mangled;
}

void add(const CUpti_Activity* record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto* const kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
      trace().add(readable(kernel->name), kernel->start, kernel->end, kernel->deviceId,
                  kernel->streamId);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto* const copy = reinterpret_cast<const CUpti_ActivityMemcpy5*>(record);
      trace().add("copy", copy->start, copy->end, copy->deviceId, copy->streamId);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto* const copy = reinterpret_cast<const CUpti_ActivityMemcpyPtoP4*>(record);
      trace().add("peer copy", copy->start, copy->end, copy->deviceId, copy->streamId);
      break;
    }
    default:
      break;
  }
}

constexpr std::size_t buffer_bytes = std::size_t{8} << 20;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
  *bytes = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) add(record);
  std::free(buffer);
}

void finish() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  trace().write();
}

}  // namespace

// The driver calls this function when it starts.
extern "C" int InitializeInjection() {
  cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
  for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2}) {
    cuptiActivityEnable(kind);
  }
  std::atexit(finish);
  return 1;
}
