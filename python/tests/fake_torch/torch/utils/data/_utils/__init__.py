"""What a data loader runs in its processes and threads, one of them imported with torch."""
from torch.utils.data._utils import worker
