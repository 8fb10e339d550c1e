// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <kolam/core/error.hpp>
#include <kolam/core/stop_request.hpp>

namespace kolam {
namespace {

using Handler = void (*)(int);

int caught = 0;
void catch_signal(int signal) { caught = signal; }

Handler handler_of(int signal) {
  struct sigaction action{};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

TEST(StopRequest, NotesTheFirstSignal) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const StopRequest stop;
    EXPECT_FALSE(stop.requested());
    EXPECT_EQ(stop.signal(), 0);
    EXPECT_EQ(stop.name(), "");

    std::raise(signal);

    EXPECT_TRUE(stop.requested());
    EXPECT_EQ(stop.signal(), signal);
    EXPECT_EQ(stop.name(), signal == SIGTERM ? "SIGTERM" : "SIGINT");
  }
}

// (In a newly started program: after a fork the thread sanitizer holds signals back.)
TEST(StopRequestDeathTest, TheSecondSignalEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int first : {SIGTERM, SIGINT}) {
    for (const int second : {SIGTERM, SIGINT}) {
      EXPECT_EXIT(
          {
            const StopRequest stop;
            std::raise(first);
            std::fputs("alive after the first", stderr);
            std::raise(second);
          },
          ::testing::KilledBySignal(second), "alive after the first");
    }
  }
}

TEST(StopRequest, BringsTheHandlersBack) {
  const Handler terminate = std::signal(SIGTERM, catch_signal);
  const Handler interrupt = handler_of(SIGINT);
  {
    const StopRequest stop;
    EXPECT_NE(handler_of(SIGTERM), catch_signal);
    std::raise(SIGTERM);
    EXPECT_EQ(caught, 0);
  }
  EXPECT_EQ(handler_of(SIGTERM), catch_signal);
  EXPECT_EQ(handler_of(SIGINT), interrupt);
  std::raise(SIGTERM);
  EXPECT_EQ(caught, SIGTERM);
  std::signal(SIGTERM, terminate);
}

TEST(StopRequest, LeavesIgnoredSignalsIgnored) {
  const Handler before = std::signal(SIGINT, SIG_IGN);
  {
    const StopRequest stop;
    std::raise(SIGINT);
    EXPECT_FALSE(stop.requested());
    std::raise(SIGTERM);
    EXPECT_EQ(handler_of(SIGINT), SIG_IGN);
  }
  EXPECT_EQ(handler_of(SIGINT), SIG_IGN);
  std::signal(SIGINT, before);
}

TEST(StopRequest, ThereIsOne) {
  {
    const StopRequest stop;
    EXPECT_THROW(const StopRequest another, InvalidArgument);
    std::raise(SIGTERM);
    EXPECT_TRUE(stop.requested()) << "the refused one must not have taken the handlers away";
  }
  EXPECT_NO_THROW(const StopRequest another);
}

}  // namespace
}  // namespace kolam
