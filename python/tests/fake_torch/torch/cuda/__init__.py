from torch.cuda import nvtx, profiler
