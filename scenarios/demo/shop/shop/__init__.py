"""A small shopping cart."""
