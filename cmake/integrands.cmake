# SPDX-License-Identifier: Apache-2.0

# The physics whose kernels are compiled in the library, for every geometry, for two and three dimensions and for both
# precisions. The sources below and their declarations for users are made from this list. DIM is the dimension.
set(kolam_compiled_physics
  mass Mass<1>
  vector_mass Mass<DIM>
  diffusion Diffusion<1>
  vector_diffusion Diffusion<DIM>
  helmholtz Helmholtz<1>
  elasticity Elasticity<DIM>)

set(folder ${PROJECT_BINARY_DIR}/generated/integrands)
set(KOLAM_DECLARATIONS)
set(KOLAM_PHYSICS_2D)
set(KOLAM_PHYSICS_3D)
set(KOLAM_ELASTICITY_2D)
set(KOLAM_ELASTICITY_3D)
set(physics ${kolam_compiled_physics})
while(physics)
  list(POP_FRONT physics name type)
  string(REPLACE DIM 2 type_2d ${type})
  string(REPLACE DIM 3 type_3d ${type})
  set(list PHYSICS)
  if(name STREQUAL "elasticity")  # a list of its own, because some builds leave it out
    set(list ELASTICITY)
  endif()
  string(APPEND KOLAM_${list}_2D " MACRO(__VA_ARGS__, ::kolam::${type_2d})")
  string(APPEND KOLAM_${list}_3D " MACRO(__VA_ARGS__, ::kolam::${type_3d})")
  foreach(precision IN ITEMS float double)
    # (Kernels on computed geometry take half of the compile time, so they are a source of their own.)
    foreach(source IN ITEMS stored computed)
      set(KOLAM_INTEGRANDS)
      set(geometries OnStored)
      if(source STREQUAL computed)
        set(geometries OnAffine OnTrilinear)
      endif()
      foreach(geometry IN LISTS geometries)
        string(APPEND KOLAM_INTEGRANDS
          "KOLAM_PLANS(, 2, ${precision}, ${geometry}, ${type_2d})\nKOLAM_PLANS(, 3, ${precision}, ${geometry}, ${type_3d})\n")
      endforeach()
      string(REPLACE "KOLAM_PLANS(," "KOLAM_PLANS(extern," declarations "${KOLAM_INTEGRANDS}")
      string(APPEND KOLAM_DECLARATIONS "${declarations}")
      if(precision IN_LIST kolam_element_precisions AND NOT "${list} ${KOLAM_ELEMENTS}" STREQUAL "ELASTICITY poisson")
        set(file ${folder}/${name}_${source}_${precision}.cpp)
        configure_file(${PROJECT_SOURCE_DIR}/cmake/integrands.cpp.in ${file} @ONLY)
        target_sources(kolam_kernels PRIVATE ${file})
        set(group integrands_${precision})
        if(name MATCHES "^(vector|elasticity)")
          string(PREPEND group ${CMAKE_MATCH_1})
        endif()
        set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
      endif()
    endforeach()
  endforeach()
endwhile()
configure_file(${PROJECT_SOURCE_DIR}/cmake/compiled_integrands.hpp.in
  ${PROJECT_BINARY_DIR}/generated/elements/kolam/kernels/element/detail/compiled_integrands.hpp @ONLY)
foreach(precision IN LISTS kolam_element_precisions)
  set(KOLAM_PRECISION ${precision})
  set(file ${folder}/set_up_${precision}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/element_set_up.cpp.in ${file} @ONLY)
  target_sources(kolam_kernels PRIVATE ${file})
  set_source_files_properties(${file} PROPERTIES UNITY_GROUP integrands_${precision})
endforeach()
