from torch.utils import _python_dispatch, data
