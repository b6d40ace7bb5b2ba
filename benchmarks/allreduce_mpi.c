// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The time of MPI_Allreduce, for allreduce.py:
//
//   mpirun -n 2 allreduce_mpi 16384 200 7       16,384 f32, 7 times 200 calls
//
// prints the seconds of one call in each of the 7 loops.

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int count = atoi(argv[1]), calls = atoi(argv[2]), loops = atoi(argv[3]);
  float *x = malloc(sizeof(float) * (size_t)count);
  float *y = malloc(sizeof(float) * (size_t)count);
  for (int i = 0; i < count; ++i)
    x[i] = (float)(rank + i % 7);
  for (int loop = 0; loop < loops; ++loop) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int call = 0; call < calls; ++call)
      MPI_Allreduce(x, y, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    double seconds = (MPI_Wtime() - begin) / calls;
    if (rank == 0)
      printf("%.9f\n", seconds);
  }
  free(x);
  free(y);
  MPI_Finalize();
  return 0;
}
