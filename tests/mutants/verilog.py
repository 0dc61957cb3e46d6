"""As much of Verilog as it takes to find expressions in rtl/*.sv and to write them again: tokens,
expressions by precedence, and the assignments and conditions of always blocks, functions and
`assign`. Text that does not parse is left unchanged."""
import re

TOKEN = re.compile(r"""
    (?P<number>\d*'[sS]?[bBdDhHoO][0-9a-fA-F_xXzZ]+|'[01]|\d[\d_]*)
  | (?P<name>\$?[A-Za-z_][\w$]*(?:::[A-Za-z_]\w*)*)
  | (?P<operator><<<|>>>|===|!==|<=|>=|==|!=|&&|\|\||<<|>>|~\^|~&|~\||\+:|-:|'\{|[-+*/%&|^~!<>=?:;,.(){}\[\]@\#'])
""", re.VERBOSE)
SKIPPED = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|`ifndef SYNTHESIS.*?`endif|`[^\n]*", re.DOTALL)
PRECEDENCE = {"||": 2, "&&": 3, "|": 4, "^": 5, "~^": 5, "&": 6, "==": 7, "!=": 7, "===": 7,
              "!==": 7, "<": 8, "<=": 8, ">": 8, ">=": 8, "<<": 9, ">>": 9, ">>>": 9, "+": 10,
              "-": 10, "*": 11, "/": 11, "%": 11}
UNARY = ("~", "!", "-", "+", "&", "|", "^", "~&", "~|", "~^")
STATEMENT_BEGINS_BEHIND = (";", "begin", "end", "else", ":", ")", "endcase")


class Token:
    def __init__(self, match):
        self.text = match.group()
        self.kind = match.lastgroup
        self.begin, self.end = match.span()


def tokens_of(text):
    """Comments, strings, directives and code not for synthesis become blanks first."""
    blank = SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    return [Token(match) for match in TOKEN.finditer(blank)]


class Node:
    """kind: atom (text), paren, unary, binary, choice (?:), list (braces or a call)."""

    def __init__(self, kind, children=(), text="", close=""):
        self.kind, self.children, self.text, self.close = kind, list(children), text, close


class NoExpression(Exception):
    pass


class Expressions:
    """Parses from a token on; `at` is after the expression afterwards."""

    def __init__(self, tokens, at):
        self.tokens, self.at = tokens, at

    def peek(self):
        if self.at == len(self.tokens):
            raise NoExpression
        return self.tokens[self.at]

    def take(self, text=None):
        token = self.peek()
        if text is not None and token.text != text:
            raise NoExpression
        self.at += 1
        return token.text

    def expression(self, least=0):
        left = self.operand()
        while True:
            operator = self.peek().text
            if operator == "?" and least <= 1:
                self.take()
                then = self.expression(1)
                self.take(":")
                left = Node("choice", (left, then, self.expression(1)))
            elif PRECEDENCE.get(operator, -1) > least:
                self.take()
                left = Node("binary", (left, self.expression(PRECEDENCE[operator])), operator)
            else:
                return left

    def operand(self):
        token = self.peek()
        if token.text in UNARY:
            return Node("unary", (self.second_operand(),), token.text)
        if token.text == "(":
            self.take()
            inner = self.expression()
            self.take(")")
            return Node("paren", (inner,))
        if token.text == "{":
            return self.braces()
        if token.kind not in ("name", "number"):
            raise NoExpression
        return self.named()

    def second_operand(self):
        self.take()
        return self.operand()

    def braces(self):
        begin = self.at
        self.take("{")
        first = self.expression()
        if self.peek().text == "{":  # a replication: its count must stay constant
            self.at = begin
            return self.postfix(self.balanced("{", "}"))
        items = [first]
        while self.peek().text == ",":
            self.take()
            items.append(self.expression())
        self.take("}")
        if self.peek().text == "[":
            raise NoExpression
        return Node("list", items, "{", "}")

    def named(self):
        text = self.take()
        if self.peek().text == "'":  # a cast
            self.take()
            self.take("(")
            inner = self.expression()
            self.take(")")
            return Node("list", (inner,), f"{text}'(", ")")
        if self.peek().text == "(":
            self.take()
            items = []
            while self.peek().text != ")":
                items.append(self.expression())
                if self.peek().text != ")":
                    self.take(",")
            self.take(")")
            return Node("list", items, f"{text}(", ")")
        return self.postfix(text)

    def postfix(self, text):
        """Selections stay as they are: which bits they name must often be constant."""
        while self.peek().text in ("[", "."):
            text += self.balanced("[", "]") if self.peek().text == "[" else self.take() + self.take()
        return Node("atom", text=text)

    def balanced(self, opening, closing):
        depth, words = 0, []
        while True:
            word = self.take()
            words.append(word)
            depth += (word == opening) - (word == closing)
            if depth == 0:
                return " ".join(words)


def is_procedural(tokens):
    """Of each token, whether it is in an always block or a function."""
    inside = [False] * len(tokens)
    at = 0
    while at < len(tokens):
        word = tokens[at].text
        if word == "function":
            end = next(i for i in range(at, len(tokens)) if tokens[i].text == "endfunction")
        elif word in ("always_ff", "always_comb"):
            end = end_of_block(tokens, at)
        else:
            at += 1
            continue
        inside[at:end + 1] = [True] * (end + 1 - at)
        at = end + 1
    return inside


def end_of_block(tokens, at):
    blocks = parentheses = 0
    while True:
        word = tokens[at].text
        blocks += (word in ("begin", "case")) - (word in ("end", "endcase"))
        parentheses += (word == "(") - (word == ")")
        ended = word in (";", "end", "endcase") and blocks == 0 and parentheses == 0
        if ended and tokens[at + 1].text != "else":
            return at
        at += 1


class Place:
    """An expression: tokens[begin:end]. `condition` of an if; `register`: what a clocked assignment
    of a whole register writes, or ""."""

    def __init__(self, node, begin, end, condition=False, register=""):
        self.node, self.begin, self.end = node, begin, end
        self.condition, self.register = condition, register


def places_of(tokens):
    """All expressions that may be changed."""
    inside = is_procedural(tokens)
    at = 1
    while at < len(tokens):
        place = place_at(tokens, at, inside[at])
        if place is None:
            at += 1
        else:
            yield place
            at = place.end


def place_at(tokens, at, procedural):
    word, before = tokens[at].text, tokens[at - 1].text
    try:
        if procedural and word == "if" and tokens[at + 1].text == "(":
            parser = Expressions(tokens, at + 2)
            node = parser.expression()
            if parser.peek().text == ")":
                return Place(node, at + 2, parser.at, condition=True)
        elif before == "assign" or (procedural and before in STATEMENT_BEGINS_BEHIND):
            return assignment_at(tokens, at)
    except (NoExpression, IndexError):
        pass
    return None


def assignment_at(tokens, at):
    parser = Expressions(tokens, at)
    if tokens[at].kind != "name" and tokens[at].text != "{":
        return None
    target = parser.balanced("{", "}") if tokens[at].text == "{" else parser.postfix(parser.take()).text
    operator = parser.take()
    if operator not in ("=", "<="):
        return None
    begin = parser.at
    node = parser.expression()
    if parser.peek().text != ";":
        return None
    register = target if operator == "<=" and re.fullmatch(r"\w+", target) else ""
    return Place(node, begin, parser.at, register=register)
