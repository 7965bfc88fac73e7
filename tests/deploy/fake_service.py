"""A service that only says it is ready, and misbehaves as told: `fake_service.py NAME BEHAVIOUR`.

It says the database's name that it was given and its process id on stdout, as the log of the stack shows them.
"""

import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Ready(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()

    def log_request(self, *args: object) -> None:
        return


def main() -> None:
    name, behaviour = sys.argv[1:3]
    print(f"{name} is process {os.getpid()}", flush=True)
    if behaviour == "dies":
        print("the cards are gone", flush=True)
        sys.exit(3)
    if behaviour == "newer":
        print(
            '{"event": "the database carteado_table is newer than this code", "level": "error"}', flush=True
        )
        sys.exit(78)
    host, _, port = os.environ[f"CARTEADO_{name.upper()}_HTTP"].partition(":")
    server = ThreadingHTTPServer((host, int(port)), _Ready)
    if behaviour == "never-ready":
        threading.Event().wait()
    if behaviour == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server.serve_forever()


if __name__ == "__main__":
    main()
