"""The two halves of the cases: repair is worked on with one, and measured with the other.

A package is whole in one half, whatever its registry and whether its mistake is injected or real.
A package that was once looked at must never come to the other half, so its name alone decides.
"""
import hashlib

# Chosen once, so that the halves have about the same number of cases in each language, and no
# package that was looked at while the real mistakes were collected is in the half held back. It
# must stay as it is.
NUMBER = 103123701


def digest(package):
    return hashlib.sha256(f"{NUMBER} {package.lower()}".encode()).digest()


def half(package):
    return "tune" if digest(package)[0] % 2 else "hold"
