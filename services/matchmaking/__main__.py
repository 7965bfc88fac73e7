"""`python -m services.matchmaking`."""

from libs.service.app import run
from services.matchmaking.app import build

if __name__ == "__main__":
    run("matchmaking", build)
