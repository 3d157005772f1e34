"""Whole screens, made of panes and widgets."""
