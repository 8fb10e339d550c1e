// SPDX-License-Identifier: Apache-2.0
// The sanitizers of this build, as macros that are 1 or 0 and as constants.
#pragma once

// (gcc and clang define different macros for them.)
#ifdef __has_feature
#define KOLAM_HAS_FEATURE(what) __has_feature(what)
#else
#define KOLAM_HAS_FEATURE(what) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || KOLAM_HAS_FEATURE(address_sanitizer)
#define KOLAM_ADDRESS_SANITIZED 1
#else
#define KOLAM_ADDRESS_SANITIZED 0
#endif
#if defined(__SANITIZE_THREAD__) || KOLAM_HAS_FEATURE(thread_sanitizer)
#define KOLAM_THREAD_SANITIZED 1
#else
#define KOLAM_THREAD_SANITIZED 0
#endif
#undef KOLAM_HAS_FEATURE

namespace kolam::detail {

inline constexpr bool address_sanitized = KOLAM_ADDRESS_SANITIZED;
inline constexpr bool thread_sanitized = KOLAM_THREAD_SANITIZED;

}  // namespace kolam::detail
