"""The rehearsal engine: a deterministic stand-in for a model, labelled as such, that needs no network."""
