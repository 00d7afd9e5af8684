def rounded(amount):
    return round(amount, 2)
