"""`python -m services.accounts`."""

from libs.service.app import run
from services.accounts.app import build

if __name__ == "__main__":
    run("accounts", build)
