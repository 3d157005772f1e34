"""How a long conversation is made to fit."""
