"""Discounts that a customer may have."""

from shop.money import percent_of

BULK_FROM = 10
BULK_PERCENT = 5


def apply_discount(amount, percent):
    """The amount less a percentage; never below zero."""
    if not 0 <= percent <= 100:
        raise ValueError(f"a discount of {percent} %")
    return amount - percent_of(amount, percent)


def bulk_percent(quantity):
    """Ten or more of a thing are cheaper."""
    return BULK_PERCENT if quantity >= BULK_FROM else 0
