// SPDX-License-Identifier: Apache-2.0
// Arrays as DLPack tensors, and tensors as arrays; exchanges with NumPy if it is installed.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <kolam/core/detail/sanitizers.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/dlpack.hpp>
#include <kolam/testing/matchers.hpp>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "array_operations.hpp"

namespace kolam::dlpack_test {
namespace {

using array_test::add_one;
using array_test::ArrayOn;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Exec>
class DlpackOn : public ArrayOn<Exec> {};
TYPED_TEST_SUITE(DlpackOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

// A tensor of another library, which counts the calls of its deleter.
struct Foreign {
  std::vector<double> values{0, 1, 2, 3, 4, 5};
  std::vector<std::int64_t> shape{6};
  std::vector<std::int64_t> strides{1};
  DLManagedTensor tensor{};
  int deleted = 0;

  DLManagedTensor* get() {
    DLTensor& t = tensor.dl_tensor;
    t.data = values.data();
    t.device = {kDLCPU, 0};
    t.byte_offset = 0;
    t.ndim = static_cast<int>(shape.size());
    t.dtype = {kDLFloat, 64, 1};
    t.shape = shape.data();
    t.strides = strides.empty() ? nullptr : strides.data();
    tensor.manager_ctx = this;
    tensor.deleter = [](DLManagedTensor* self) {
      ++static_cast<Foreign*>(self->manager_ctx)->deleted;
    };
    return &tensor;
  }
};

template <class T = double, int N = 1>
std::string refusal(DLManagedTensor* tensor) {
  try {
    const auto array = from_dlpack<T, N>("x", tensor);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "nothing was refused";
}

TYPED_TEST(DlpackOn, ATensorIsTheMemoryOfTheArrayAndOutlivesIt) {
  auto a = std::make_unique<Array<double, 2>>("a", std::array<index_t, 2>{3, 2});
  const auto at_host = a->write(host);
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 3; ++i) at_host(i, j) = 10 * i + j;
  }
  DLManagedTensor* const tensor = to_dlpack(host, *a);
  const DLTensor& t = tensor->dl_tensor;
  EXPECT_EQ(t.data, a->read(host).data());
  EXPECT_EQ(t.device.device_type, kDLCPU);
  EXPECT_EQ(t.byte_offset, 0U);
  EXPECT_EQ(t.dtype.code, kDLFloat);
  EXPECT_EQ(t.dtype.bits, 64);
  EXPECT_EQ(t.dtype.lanes, 1);
  EXPECT_THAT(std::vector(t.shape, t.shape + t.ndim), ElementsAre(3, 2));
  EXPECT_THAT(std::vector(t.strides, t.strides + t.ndim), ElementsAre(1, 3));
  a.reset();
  Array<double, 2> other("other", {3, 2});  // would take the same memory if it were free
  Kokkos::deep_copy(other.write(host), -1.0);
  EXPECT_EQ(static_cast<const double*>(t.data)[2 * t.strides[0] + 1 * t.strides[1]], 21);
  tensor->deleter(tensor);
}

TYPED_TEST(DlpackOn, ChangesThroughATensorReachTheOtherSide) {
  Array<float> a("a", 5);
  Kokkos::deep_copy(a.write(host), 1.0F);
  add_one<TypeParam>(a);
  DLManagedTensor* const tensor = to_dlpack(host, a);
  auto* const values = static_cast<float*>(tensor->dl_tensor.data);
  EXPECT_EQ(values[4], 2.0F);
  values[4] = 8.0F;
  add_one<TypeParam>(a);
  tensor->deleter(tensor);
  EXPECT_EQ(a.read(host)(4), 9.0F);
  EXPECT_EQ(a.read(host)(3), 3.0F);
}

TYPED_TEST(DlpackOn, ATensorOfADeviceIsThere) {
  Array<int> a("a", 5);
  Kokkos::deep_copy(a.write(host), 1);
  const TypeParam exec{};
  DLManagedTensor* const tensor = to_dlpack(exec, a);
  const DLTensor& t = tensor->dl_tensor;
  EXPECT_EQ(t.dtype.code, kDLInt);
  EXPECT_EQ(t.dtype.bits, 32);
  EXPECT_EQ(t.data, a.read(exec).data());
  const bool on_host = std::is_same_v<typename TypeParam::memory_space, Kokkos::HostSpace>;
  EXPECT_EQ(t.device.device_type == kDLCPU, on_host);
  if (!on_host) {  // a tensor on the device becomes an array again
    auto b = from_dlpack<int>("b", to_dlpack(exec, a));
    EXPECT_EQ(b.read(host)(4), 1);
  }
  tensor->deleter(tensor);
}

TEST(Dlpack, ConstArraysAndStridedAliasesBecomeTensorsToo) {
  Array<std::int64_t> a("a", 10);
  const auto values = a.write(host);
  std::iota(values.data(), values.data() + 10, 0);
  auto every_third = a.alias({1, 10}, 3);
  DLManagedTensor* const tensor = to_dlpack(host, every_third);
  EXPECT_THAT(std::vector(tensor->dl_tensor.strides, tensor->dl_tensor.strides + 1),
              ElementsAre(3));
  EXPECT_EQ(static_cast<std::int64_t*>(tensor->dl_tensor.data)[0], 1);
  tensor->deleter(tensor);

  const Array<std::int64_t>& constant = a;
  auto readable = constant.alias({2, 5});
  DLManagedTensor* const read = to_dlpack(host, readable);
  EXPECT_EQ(static_cast<const std::int64_t*>(read->dl_tensor.data)[0], 2);
  EXPECT_TRUE(a.valid(device) || !one_memory || a.valid(host));
  read->deleter(read);
}

TYPED_TEST(DlpackOn, ATensorBecomesAnArrayAndIsGivenBackOnce) {
  Foreign foreign;
  foreign.shape = {3, 2};
  foreign.strides = {1, 3};
  {
    auto a = from_dlpack<double, 2>("a", foreign.get());
    EXPECT_EQ(a.label(), "a");
    EXPECT_EQ(a.read(host)(2, 1), 5.0);
    auto flat = reshape(a, 6);
    add_one<TypeParam>(flat);
    EXPECT_EQ(a.read(host).data(), foreign.values.data());
    auto last = flat.alias({5, 6});
    a = {};
    flat = {};
    EXPECT_EQ(foreign.deleted, 0);
    EXPECT_EQ(last.read(host)(0), 6.0);
  }
  EXPECT_EQ(foreign.deleted, 1);
  EXPECT_THAT(foreign.values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Dlpack, OffsetsMissingStridesAndNoValuesAreUnderstood) {
  Foreign foreign;
  foreign.strides = {};
  DLManagedTensor* const tensor = foreign.get();
  tensor->dl_tensor.byte_offset = 2 * sizeof(double);
  foreign.shape[0] = 4;
  {
    const auto a = from_dlpack<double>("a", tensor);
    EXPECT_EQ(a.size(), 4);
    EXPECT_EQ(a.read(host)(0), 2.0);
  }
  foreign.shape[0] = 0;
  foreign.values.clear();
  EXPECT_EQ(from_dlpack<double>("none", foreign.get()).size(), 0);
  EXPECT_EQ(foreign.deleted, 2);
}

TEST(Dlpack, WhatCannotBeAnArrayIsRefusedAndStaysItsOwners) {
  Foreign foreign;
  EXPECT_THAT(refusal(nullptr), HasSubstr("'x' of a DLPack tensor: there is no tensor"));
  EXPECT_THAT(refusal<float>(foreign.get()),
              HasSubstr("the tensor holds float64, the array float32; convert it first"));
  EXPECT_THAT((refusal<double, 2>(foreign.get())),
              HasSubstr("the tensor has 1 dimensions, the array 2; reshape it first"));
  foreign.strides = {2};
  EXPECT_THAT(refusal(foreign.get()), HasSubstr("its dimension 0 has stride 2 instead of 1"));
  foreign.shape = {3, 2};
  foreign.strides = {2, 1};  // row-major
  EXPECT_THAT((refusal<double, 2>(foreign.get())),
              HasSubstr("first index fastest; hand over the transposed tensor"));
  foreign.strides = {};
  EXPECT_THAT((refusal<double, 2>(foreign.get())), HasSubstr("has stride 2 instead of 1"));
  foreign.shape = {1, 6};  // row-major and column-major at once
  EXPECT_THAT((refusal<double, 2>(foreign.get())), HasSubstr("nothing was refused"));
  EXPECT_EQ(foreign.deleted, 1);

  foreign.shape = {6};
  DLManagedTensor* tensor = foreign.get();
  tensor->dl_tensor.device = {kDLVulkan, 3};
  EXPECT_THAT(refusal(tensor), HasSubstr("on device 3 of DLPack's type 7"));
  tensor = foreign.get();
  tensor->dl_tensor.byte_offset = 1;
  EXPECT_THAT(refusal(tensor), HasSubstr("not aligned to 8 bytes"));
  tensor = foreign.get();
  tensor->dl_tensor.dtype = {kDLFloat, 64, 4};
  EXPECT_THAT(refusal(tensor), HasSubstr("DLPack code 2 with 64 bits and 4 lanes"));
  EXPECT_EQ(foreign.deleted, 1);
  {
    const auto a = from_dlpack<double>("first", foreign.get());
    EXPECT_THAT(refusal(foreign.get()), HasSubstr("first"));  // 'first' wraps this memory already
    EXPECT_EQ(foreign.deleted, 1);
  }
  EXPECT_EQ(foreign.deleted, 2);
}

// Returns the file name of the shared library of a Python that has NumPy, or "".
std::string python_library() {
  const char* const ask =
      "for p in python3 /usr/bin/python3; do $p -c 'import numpy, sysconfig as s; "
      "print(s.get_config_var(\"INSTSONAME\"))' 2>/dev/null && break; done";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(ask, "r"), pclose);
  std::array<char, 256> line{};
  if (pipe == nullptr || fgets(line.data(), line.size(), pipe.get()) == nullptr) return "";
  return std::string(line.data()).substr(0, std::string(line.data()).find('\n'));
}

TEST(Dlpack, NumPyReadsArraysAndArraysReadNumPy) {
  if (detail::address_sanitized || detail::thread_sanitized) {
    GTEST_SKIP() << "the interpreter keeps memory of its own";
  }
  const std::string name = python_library();
  void* const python = name.empty() ? nullptr : dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (python == nullptr) GTEST_SKIP() << "no library of a Python with NumPy";
  const auto find = [&]<class F>(F*& f, const char* symbol) {
    f = reinterpret_cast<F*>(dlsym(python, symbol));
    ASSERT_NE(f, nullptr) << symbol;
  };
  void (*initialize)(int) = nullptr;
  int (*run)(const char*) = nullptr;
  void* (*add_module)(const char*) = nullptr;
  void* (*get_attribute)(void*, const char*) = nullptr;
  int (*set_attribute)(void*, const char*, void*) = nullptr;
  void* (*new_capsule)(void*, const char*, void*) = nullptr;
  void* (*pointer_of_capsule)(void*, const char*) = nullptr;
  int (*rename_capsule)(void*, const char*) = nullptr;
  find(initialize, "Py_InitializeEx");
  find(run, "PyRun_SimpleString");
  find(add_module, "PyImport_AddModule");
  find(get_attribute, "PyObject_GetAttrString");
  find(set_attribute, "PyObject_SetAttrString");
  find(new_capsule, "PyCapsule_New");
  find(pointer_of_capsule, "PyCapsule_GetPointer");
  find(rename_capsule, "PyCapsule_SetName");
  if (HasFatalFailure()) return;
  initialize(0);
  void* const main = add_module("__main__");

  Array<double, 2> a("a", {3, 2});
  const auto values = a.write(host);
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 3; ++i) values(i, j) = 10 * i + j;
  }
  set_attribute(main, "capsule", new_capsule(to_dlpack(host, a), "dltensor", nullptr));
  ASSERT_EQ(run("import numpy as np\n"
                "class Tensor:\n"
                "  def __dlpack__(self, **_): return capsule\n"
                "  def __dlpack_device__(self): return (1, 0)\n"
                "x = np.from_dlpack(Tensor())\n"
                "assert x.shape == (3, 2) and x.dtype == np.float64\n"
                "assert x.tolist() == [[0, 1], [10, 11], [20, 21]], x\n"),
            0);
  a.read_write(host)(2, 1) = -1;
  EXPECT_EQ(run("assert x[2, 1] == -1, 'a copy was made'\n"), 0);

  ASSERT_EQ(run("y = np.arange(6, dtype=np.float32)\n"
                "capsule = y.__dlpack__()\n"),
            0);
  void* const capsule = get_attribute(main, "capsule");
  {
    auto b = from_dlpack<float>(
        "b", static_cast<DLManagedTensor*>(pointer_of_capsule(capsule, "dltensor")));
    rename_capsule(capsule, "used_dltensor");
    EXPECT_EQ(b.size(), 6);
    EXPECT_EQ(b.read(host)(5), 5.0F);
    b.read_write(host)(0) = 7.0F;
  }
  EXPECT_EQ(run("assert y[0] == 7, 'a copy was made'\n"), 0);
}

}  // namespace
}  // namespace kolam::dlpack_test
