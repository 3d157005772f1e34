"""The agent: one turn after another, behind one door."""
