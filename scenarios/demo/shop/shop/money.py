"""Amounts are whole cents; percentages are whole numbers."""


def percent_of(amount, percent):
    """The share of an amount, rounded half up to a cent."""
    return (amount * percent + 50) // 100


def format_amount(amount):
    """1234 -> '12.34'"""
    sign = "-" if amount < 0 else ""
    whole, cents = divmod(abs(amount), 100)
    return f"{sign}{whole}.{cents:02d}"
