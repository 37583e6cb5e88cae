/* SPDX-License-Identifier: Apache-2.0 */
/* vector_add.cu - adds vectors with CUDA's run-time: two copies, a kernel, a copy back. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

enum { BLOCK = 256, N_FLOATS = 1 << 18 };

static float a[N_FLOATS], b[N_FLOATS], sum[N_FLOATS];

template <class T> __global__ void add(const T *x, const T *y, T *z, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        z[i] = x[i] + y[i];
}

int main(void)
{
    float *on_gpu[3];
    int n_wrong = 0;

    for (int i = 0; i < N_FLOATS; i++) {
        a[i] = (float)i;
        b[i] = 1;
    }
    for (int i = 0; i < 3; i++)
        cudaMalloc((void **)&on_gpu[i], sizeof(a));
    nvtxRangePushA("copy in");
    cudaMemcpy(on_gpu[0], a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(on_gpu[1], b, sizeof(b), cudaMemcpyHostToDevice);
    nvtxRangePop();
    nvtxRangePushA("add");
    add<<<N_FLOATS / BLOCK, BLOCK>>>(on_gpu[0], on_gpu[1], on_gpu[2], N_FLOATS);
    cudaDeviceSynchronize();
    nvtxRangePop();
    nvtxRangePushA("copy out");
    cudaMemcpy(sum, on_gpu[2], sizeof(sum), cudaMemcpyDeviceToHost);
    nvtxRangePop();
    for (int i = 0; i < N_FLOATS; i++)
        n_wrong += sum[i] != a[i] + 1;
    printf("%d wrong sums\n", n_wrong);
    if (cudaPeekAtLastError() == cudaSuccess)
        return 0;
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaPeekAtLastError()));
    return 1;
}
