from torch.utils.data import _utils
