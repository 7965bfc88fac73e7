"""`python -m services.robots`."""

from libs.service.app import run
from services.robots.app import build

if __name__ == "__main__":
    run("robots", build)
