"""What times depend on: processor, interpreter, and how busy the machine is."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

CPU_INFO = Path("/proc/cpuinfo")
#: Above this load a processor, others were at work too.
BUSY = 0.5


def describe() -> dict[str, Any]:
    """Cores, processor, system, Python and the load before anything is measured; no names of hosts."""
    cores = os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return {
        "cores": cores,
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": round(load, 2),
        "busy": load > BUSY * cores,
    }


def _processor() -> str:
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"
