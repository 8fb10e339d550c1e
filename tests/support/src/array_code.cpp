// SPDX-License-Identifier: Apache-2.0
#include <kolam/testing/array_code.hpp>
#include <kolam/testing/array_model.hpp>
#include <string_view>

namespace kolam::testing {
namespace {

using std::to_string;

const char* text(Where where) {
  constexpr std::array names{"kolam::host", "kolam::device", "second"};
  return names[static_cast<std::size_t>(where)];
}
const char* text(Policy policy) {
  constexpr std::array names{"kolam::on_access", "kolam::explicit_only",
                             "kolam::prefetch(Kokkos::DefaultExecutionSpace())",
                             "kolam::prefetch(second)", "std::nullopt"};
  return names[static_cast<std::size_t>(policy)];
}
std::string kind_text(int kind) {
  return "kolam::MemoryKind::" + std::string(name(static_cast<MemoryKind>(kind)));
}
std::string range_text(std::array<int, 2> range) {
  return std::string("{").append(to_string(range[0])) + ", " + to_string(range[1]) + "}";
}
std::string box_text(const Step& step, std::size_t rank) {
  if (rank == 1) return range_text(step.box()[0]);
  return "{{" + range_text(step.box()[0]) + ", " + range_text(step.box()[1]) + "}}";
}

// Returns a call of a member function of the array, on a side.
std::string intent_text(const Step& step, const std::string& array, std::size_t rank) {
  const std::string where = text(step.where());
  const std::string box = step.whole() ? "" : ", " + box_text(step, rank);
  const std::string value = ", " + to_string(step.value());
  const auto call = [&](const char* intent) {
    return array + "." + intent + "(" + where + box + ")";
  };
  switch (step.op) {
    case Op::read:
      return "values(" + where + ", " + call("read") + ")";
    case Op::write:
      return "fill(" + where + ", " + call("write") + value + ")";
    case Op::read_write:
      return "add(" + where + ", " + call("read_write") + value + ")";
    case Op::modified:
      return "fill_mirror(" + where + ", " + array + value + box + ")";
    default:
      return call("sync");
  }
}

class Writer {
 public:
  explicit Writer(bool two_sides) : model_(two_sides) {}

  void write(const Step& step) {
    const std::string array = name_of(step.slot());
    const auto slot = step.from() < slots ? step.from() : 0;
    const std::string from = name_of(slot);
    const std::size_t rank = rank_of(step.op == Op::alias ? slot : step.slot());
    const Outcome outcome = model_.apply(step);
    if (outcome == Outcome::nothing) return;
    const std::string made = std::string("a").append(to_string(made_));
    const bool makes = outcome == Outcome::done && name_of(step.slot()) == made;
    const std::string code = expression(step, array, from, made, rank);
    if (outcome != Outcome::done) {
      const bool access = outcome == Outcome::access_error;
      code_ += "EXPECT_THROW(static_cast<void>(" + code +
               "), kolam::" + (access ? "AccessError" : "InvalidArgument") + ");\n";
      return;
    }
    code_ += (makes ? "auto " + made + " = " : "") + code + ";\n";
    if (makes) {
      ++made_;
      if (!array.empty()) code_ += array + " = {};\n";
    }
  }

  std::string code() const {
    const bool second = code_.find("second") != std::string::npos;
    return (second ? "const auto second = two_instances().front();\n" : "") + code_;
  }

 private:
  std::string name_of(std::size_t slot) const {
    return model_.array(slot) ? model_.array(slot)->name : "";
  }
  std::size_t rank_of(std::size_t slot) const {
    return model_.array(slot) ? model_.array(slot)->rank : 1;
  }

  // May add lines that must precede the expression.
  std::string expression(const Step& step, const std::string& array, const std::string& from,
                         const std::string& made, std::size_t rank) {
    const std::string size = to_string(step.n[1]);
    switch (step.op) {
      case Op::make:
        return "kolam::Array<int>(\"" + made + "\", " + size +
               (step.n[2] == 5 ? "" : ", " + kind_text(step.n[2])) + ")";
      case Op::destroy:
        return array + " = {}";
      case Op::alias:
        return from + ".alias(" + box_text(step, rank) + ")";
      case Op::alias_strided:
        return from + ".alias(" + box_text(step, 1) + ", " + to_string(step.n[2]) + ")";
      case Op::reshape:
        return "kolam::reshape(" + from + ", " + to_string(step.n[3]) + ", " +
               to_string(step.n[4]) + ")";
      case Op::move:
        return "std::move(" + from + ")";
      case Op::assign:
        return array + " = std::move(" + from + ")";
      case Op::release:
        return array + ".release(" + text(step.where()) + ")";
      case Op::discard:
        return array + ".discard(" + text(step.where()) + ")";
      case Op::set_policy:
        return array + ".set_policy(" + text(step.policy()) + ")";
      case Op::open_scope:
        return open("sync", "kolam::SyncScope", text(step.policy()));
      case Op::close_scope:
        return "sync" + to_string(model_.open_scopes()) + ".reset()";
      case Op::open_memory:
        return open("memory", "kolam::MemoryScope", kind_text(step.n[1]));
      case Op::close_memory:
        return "memory" + to_string(model_.open_memory_scopes()) + ".reset()";
      case Op::deep_copy: {
        const std::string exec = step.where() == Where::host ? "Kokkos::DefaultHostExecutionSpace()"
                                 : step.where() == Where::device ? "Kokkos::DefaultExecutionSpace()"
                                                                 : "second";
        return "kolam::deep_copy(" + exec + ", " + array + ", " + from + ")";
      }
      case Op::resize:
        return "kolam::resize(" + array + ", " + size + ")";
      case Op::borrow:
        return borrow(step, made, "kolam::host, ", "");
      case Op::borrow_both:
        return borrow(step, made, "", ", kolam::ValidSide::" + valid_text(step.n[2]));
      default:
        return intent_text(step, array, rank);
    }
  }

  static std::string valid_text(int valid) {
    constexpr std::array names{"host_side", "device_side", "both", "none"};
    return names[static_cast<std::size_t>(valid)];
  }

  // A scope is named after its depth; it may be opened more than once.
  std::string open(const std::string& what, const std::string& type, const std::string& argument) {
    const std::size_t depth = what == "sync" ? model_.open_scopes() : model_.open_memory_scopes();
    const std::string scope = what + to_string(depth - 1);
    if (code_.find("> " + scope + ";") == std::string::npos) {
      code_ += "std::unique_ptr<" + type + "> " + scope + ";\n";
    }
    return scope + " = std::make_unique<" + type + ">(" + argument + ")";
  }

  std::string borrow(const Step& step, const std::string& made, const std::string& where,
                     const std::string& valid) {
    const std::string size = to_string(step.n[1]);
    const std::string host_values = "host_of_" + made;
    const std::string device_values = "device_of_" + made;
    const auto first = [&](int other) {
      return to_string(!valid.empty() && (step.n[2] == other || step.n[2] == 3) ? -1000
                                                                                : step.value());
    };
    code_ += "auto " + host_values + " = ascending(" + size + ", " + first(1) + ");\n";
    std::string pointers = host_values + ".data(), ";
    if (!valid.empty()) {
      code_ += "const auto " + device_values + " = ascending_on_device(" + size + ", " + first(0) +
               ");\n";
      pointers += device_values + ".data(), ";
    }
    return "kolam::borrow(\"" + made + "\", " + where + pointers + size + valid + ")";
  }

  ArrayModel model_;
  int made_ = 0;
  std::string code_;
};

}  // namespace

std::string as_code(const Steps& steps, bool two_sides) {
  Writer writer(two_sides);
  for (const Step& step : steps) writer.write(step);
  return writer.code();
}

}  // namespace kolam::testing
