/* Which sanitizer watches the build: GCC defines a macro, clang has a feature. */
#pragma once

#ifdef __has_feature
#define SANITIZER_FEATURE(name) __has_feature(name)
#else
#define SANITIZER_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || SANITIZER_FEATURE(address_sanitizer)
#define HAVE_ASAN 1
#else
#define HAVE_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__) || SANITIZER_FEATURE(thread_sanitizer)
#define HAVE_TSAN 1
#else
#define HAVE_TSAN 0
#endif
