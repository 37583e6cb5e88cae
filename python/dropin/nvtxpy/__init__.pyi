from rangeline.nvtxpy import *
