"""Evaluate expressions in postfix notation, such as "3 4 + 2 *"."""


def evaluate(expression):
    stack = []
    for token in expression.split():
        if token in ("+", "-", "*", "/"):
            second = stack.pop()
            first = stack.pop()
            if token == "+":
                stack.append(first + second)
            elif token == "-":
                stack.append(second - first)
            elif token == "*":
                stack.append(first * second)
            else:
                stack.append(second / first)
        else:
            stack.append(float(token))
    if len(stack) != 1:
        raise ValueError("malformed expression: " + expression)
    return stack[0]


print("3 4 + =", evaluate("3 4 +"))

assert evaluate("42") == 42
assert evaluate("3 4 +") == 7
assert evaluate("3 4 *") == 12
assert evaluate("10 4 -") == 6
assert evaluate("20 5 /") == 4
assert evaluate("5 1 2 + 4 * + 3 -") == 14
print("all good")
