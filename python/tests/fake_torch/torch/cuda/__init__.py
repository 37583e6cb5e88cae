from torch.cuda import nvtx
