# SPDX-License-Identifier: Apache-2.0
# Written by scripts/manual from the program's --help; do not edit.
# (zsh reads it after: autoload -U bashcompinit && bashcompinit)
_kolam() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= words i
  if [ "$word" = = ]; then
    word=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in info | jacobi | diffusion | heat | poisson | elasticity | mesh) command=${COMP_WORDS[i]}; break ;; esac
  done
  COMPREPLY=()
  case $command:$before in
    jacobi:--decomposition) words="auto stripes tiles" ;;
    jacobi:--transport | diffusion:--transport | heat:--transport) words="auto peer staged mpi" ;;
    jacobi:--gpu-aware-mpi | jacobi:--progress | diffusion:--gpu-aware-mpi | diffusion:--progress | heat:--gpu-aware-mpi | heat:--progress) words="auto on off" ;;
    jacobi:--backend | diffusion:--backend | heat:--backend | poisson:--backend | elasticity:--backend) words="serial openmp threads cuda hip sycl" ;;
    jacobi:--precision | diffusion:--precision | poisson:--precision | elasticity:--precision) words="float double" ;;
    diffusion:--decomposition | heat:--decomposition | poisson:--decomposition) words="auto stripes tiles slabs pencils blocks" ;;
    heat:--time-scheme) words="backward-euler crank-nicolson" ;;
    heat:--solver) words="cg chebyshev ppcg mg" ;;
    poisson:--partition | elasticity:--partition | mesh:--partition) words="hilbert rcb metis scotch" ;;
    poisson:--operator) words="bp1 bp2 bp3 bp4 bp5 bp6 poisson helmholtz" ;;
    poisson:--map) words="none sine" ;;
    poisson:--geometry | elasticity:--geometry) words="automatic stored affine trilinear" ;;
    poisson:--rhs) words="one expxyz manufactured" ;;
    poisson:--precond | elasticity:--precond) words="none jacobi chebyshev pmg" ;;
    poisson:--coarse-solver | elasticity:--coarse-solver) words="cg boomeramg" ;;
    *)
      # Options where one begins; elsewhere the names of files.
      case $command:$word in
        :-*) words="--version -h --help" ;;
        info:-*) words="-h --help --bandwidth --json" ;;
        jacobi:-*) words="-h --help -nx --nx -ny --ny -niter --niter -tol --tol -nccheck --nccheck --check-every --decomposition --transport --gpu-aware-mpi --backend --json -csv --csv --image --output --checkpoint --checkpoint-every --restart --quiet --progress --t-peak --trace --subdomains --steps-per-pass --precision" ;;
        diffusion:-*) words="-h --help -nz --nz -nx --nx -ny --ny -niter --niter -tol --tol -nccheck --nccheck --check-every --decomposition --transport --gpu-aware-mpi --backend --json -csv --csv --image --output --checkpoint --checkpoint-every --restart --quiet --progress --t-peak --trace --subdomains --steps-per-pass --precision" ;;
        heat:-*) words="-h --help --deck -nz --nz -nx --nx -ny --ny -niter --niter -tol --tol -nccheck --nccheck --check-every --decomposition --transport --gpu-aware-mpi --backend --json -csv --csv --image --output --checkpoint --checkpoint-every --restart --quiet --progress --t-peak --trace --dt --time-scheme --solver --rtol --max-iter --inner-steps" ;;
        poisson:-*) words="-h --help -order --order -n --n -nx --nx -ny --ny -nz --nz --dim --mesh --refine --geometry-order --partition --subdomains --dirichlet --robin --coefficient --operator --map --geometry --rhs --rtol --max-iter --precond --coarse-solver --deterministic --decomposition --backend --precision --json --image --output --quiet" ;;
        elasticity:-*) words="-h --help --mesh --material --fix --traction --body-force -order --order --refine --geometry-order --partition --subdomains --geometry --rtol --max-iter --precond --coarse-solver --deterministic --backend --precision --json --output --quiet" ;;
        mesh:-*) words="-h --help --refine -order --order --parts --partition --output --output-parts --image --json" ;;
        :*) words="info jacobi diffusion heat poisson elasticity mesh" ;;
        *) return ;;
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _kolam kolam
