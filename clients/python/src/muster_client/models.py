"""The records and bodies of the API by name, as in `models.Agent`."""

from .gen import models as _models
from .gen.models import *

__all__ = []
__all__ += _models.__all__
