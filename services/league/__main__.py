"""`python -m services.league`."""

from libs.service.app import run
from services.league.app import build

if __name__ == "__main__":
    run("league", build)
