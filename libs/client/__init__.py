"""A small client of the gateway's public contract (docs/client.md): what the tests and the load of `make bench` play with."""
