def check(found, expected):
    """Say whether both are the same."""
    print("same:" if found == expected else "OTHER:", found)
