"""Measure on workers that Slurm starts, and give them back at the end.

python slurm.py --jobs 16 -- measure --primitive 'aes-*' --variant '*'
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Start workers, run the command on them, and return its exit status."""
    from dask_jobqueue import SLURMCluster
    from distributed import Security

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=4, help="jobs of one node each")
    parser.add_argument("--cores", type=int, default=8, help="worker processes of a job")
    parser.add_argument("--walltime", default="01:00:00", help="time after which Slurm ends a job")
    parser.add_argument("--queue", help="partition")
    parser.add_argument("--shared", type=Path, default=Path.home(), help="folder that all nodes see")
    parser.add_argument("command", nargs="+", help="command of steelyard, behind --")
    given = parser.parse_args()
    security = Security.temporary()
    with SLURMCluster(
        queue=given.queue,
        cores=given.cores,
        processes=given.cores,
        memory=f"{given.cores} GiB",
        walltime=given.walltime,
        # Worker and command then are the same installation.
        python=sys.executable,
        # A worker leaves before Slurm ends its job, and its builds go to others.
        worker_extra_args=["--lifetime", "50m", "--lifetime-stagger", "4m"],
        protocol="tls://",
        security=security,
        shared_temp_directory=str(given.shared),
    ) as cluster:
        cluster.scale(jobs=given.jobs)
        tls = security.get_tls_config_for_role("client")
        keys = {"CA_FILE": tls["ca_file"], "CLIENT__CERT": tls["cert"], "CLIENT__KEY": tls["key"]}
        environment = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": value for name, value in keys.items()}
        command = [sys.executable, "-m", "steelyard", *given.command]
        command += ["--scheduler", cluster.scheduler_address]
        return subprocess.run(command, env={**os.environ, **environment}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
