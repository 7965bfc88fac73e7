"""`python -m services.table`."""

from libs.service.app import run
from services.table.app import build

if __name__ == "__main__":
    run("table", build)
