"""`python -m services.billing`."""

from libs.service.app import run
from services.billing.app import build

if __name__ == "__main__":
    run("billing", build)
