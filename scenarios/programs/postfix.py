def evaluate(expression):
    stack = []
    for token in expression.split():
        if token not in "+-*/":
            stack.append(float(token))
            continue
        second, first = stack.pop(), stack.pop()
        if token == "+":
            stack.append(first + second)
        elif token == "-":
            stack.append(second - first)
        elif token == "*":
            stack.append(first * second)
        else:
            stack.append(second / first)
    return stack.pop()


assert evaluate("3 4 +") == 7
assert evaluate("10 4 -") == 6, evaluate("10 4 -")
assert evaluate("20 5 /") == 4, evaluate("20 5 /")
assert evaluate("5 1 2 + 4 * + 3 -") == 14
print("all assertions hold")
