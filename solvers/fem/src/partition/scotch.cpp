// SPDX-License-Identifier: Apache-2.0
// clang-format off
#include <cstdio>  // (scotch.h needs it)
#include <scotch.h>
// clang-format on

#include "graph.hpp"

namespace kolam::fem::detail {
namespace {

void require(int status, const char* call) {
  if (status != 0)
    throw Error(fmt::format("Scotch did not cut the mesh: {} returned {}", call, status));
}

struct Graph {
  SCOTCH_Graph graph;
  Graph() { require(SCOTCH_graphInit(&graph), "SCOTCH_graphInit"); }
  ~Graph() { SCOTCH_graphExit(&graph); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
};
struct Strategy {
  SCOTCH_Strat strategy;
  Strategy() { require(SCOTCH_stratInit(&strategy), "SCOTCH_stratInit"); }
  ~Strategy() { SCOTCH_stratExit(&strategy); }
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
};

}  // namespace

// (Pellegrini and Roman, HPCN 1996.)
std::vector<int> scotch_partition(const ElementGraph& graph, int parts) {
  const auto begin = numbers_of<SCOTCH_Num>("Scotch", graph.begin);
  const auto neighbours = numbers_of<SCOTCH_Num>("Scotch", graph.neighbours);
  std::vector<SCOTCH_Num> part(graph.size());
  SCOTCH_randomReset();
  Graph of_elements;
  require(SCOTCH_graphBuild(&of_elements.graph, 0, static_cast<SCOTCH_Num>(graph.size()),
                            begin.data(), nullptr, nullptr, nullptr,
                            static_cast<SCOTCH_Num>(neighbours.size()), neighbours.data(), nullptr),
          "SCOTCH_graphBuild");
  Strategy balanced;
  constexpr double imbalance = 0.01;
  require(SCOTCH_stratGraphMapBuild(&balanced.strategy, SCOTCH_STRATBALANCE, parts, imbalance),
          "SCOTCH_stratGraphMapBuild");
  require(SCOTCH_graphPart(&of_elements.graph, parts, &balanced.strategy, part.data()),
          "SCOTCH_graphPart");
  return {part.begin(), part.end()};
}

bool has_scotch() { return true; }

}  // namespace kolam::fem::detail
