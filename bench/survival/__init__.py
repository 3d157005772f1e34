"""What survives compaction: real sessions replayed through the product's own code and through other agents' policies.

`python -m bench survival --data DIR [--window 32000,64000] [--policy ours,pi,…] [--json FILE] [--llm MODEL]`. Without
data a seeded synthetic set is played.
"""

from bench.survival.running import run, run_wishes

__all__ = ["run", "run_wishes"]
