"""The event log and the runtime of deciders. README.md teaches it in a page."""
