def evaluate(expression):
    stack = []
    for token in expression.split():
        if token in "+-*/":
            a, b = stack.pop(), stack.pop()
            stack.append({"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else 0}[token])
        else:
            stack.append(int(token))
    return stack.pop()


assert evaluate("3 4 +") == 7
assert evaluate("10 4 -") == 6, "subtraction"
assert evaluate("2 3 *") == 6
assert (
    evaluate("8 2 /")
    == 4
)
assert evaluate("2 3 *") == 6
print("all passed")
