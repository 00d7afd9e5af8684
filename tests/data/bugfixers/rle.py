"""Run-length encoding: "aaab" becomes "3a1b"."""


def encode(text):
    if not text:
        return ""
    encoded = ""
    current = text[0]
    count = 1
    for char in text[1:]:
        if char == current:
            count += 1
        else:
            encoded += current + str(count)
            current = char
            count = 1
    encoded += current + str(count)
    return encoded


def decode(encoded):
    text = ""
    digits = ""
    for char in encoded:
        if char.isdigit():
            digits += char
        else:
            text += char * int(digits)
            digits = ""
    return text


assert encode("") == ""
assert decode("3a1b") == "aaab"
assert encode("aaab") == "3a1b", encode("aaab")
assert encode("xyz") == "1x1y1z"
assert decode(encode("wwwwbbbw")) == "wwwwbbbw"
print("all assertions passed")
