from rangeline.nvtx import *
