"""Benchmarks: each one command, each measure against its target."""
