"""Two tools as examples: a clock and a calculator."""

import ast
import math
import operator
from collections.abc import Callable
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from strands import tool
from strands.types.tools import AgentTool

MAX_EXPRESSION = 200
"""Characters of an expression."""
MAX_MAGNITUDE = 10**60
"""No number on the way to a result may be larger: they needn't be said, and grow fast."""

type Number = int | float
type Now = Callable[[tzinfo | None], datetime]

_BINARY: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: dict[type[ast.unaryop], Callable[[Number], Number]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_AS_WRITTEN = str.maketrans({"×": "*", "÷": "/", "−": "-", "–": "-", "^": "**", ",": "", "\u202f": "", "\u00a0": ""})


def example_tools(*, now: Now = datetime.now) -> list[AgentTool]:
    """Return the clock and the calculator.

    Args:
        now: Tells the time in a zone, or here.
    """

    @tool
    def clock(timezone: str = "") -> str:
        """Tell the current day, date and time.

        Args:
            timezone: An IANA name such as Europe/Berlin; leave it out for the time here.
        """
        return tell_time(timezone, now)

    @tool
    def calculator(expression: str) -> str:
        """Work out an arithmetic expression.

        Args:
            expression: Numbers with + - * / // % ** and parentheses, such as (12.5 + 3) * 4.
        """
        return calculate(expression)

    return [clock, calculator]


def tell_time(timezone: str, now: Now = datetime.now) -> str:
    """Return day, date and time in words and figures, in ``timezone`` or here.

    Raises:
        ValueError: there is no such zone.
    """
    zone: tzinfo | None = None
    if timezone:
        try:
            zone = ZoneInfo(timezone)
        except (KeyError, ValueError, OSError) as error:  # also what looks like a path, or is a folder
            raise ValueError("there is no such time zone; a name is for example Europe/Berlin") from error
    told = now(zone)
    return f"{told:%A}, {told.day} {told:%B %Y}, {told:%H:%M}"


def calculate(expression: str) -> str:
    """Return the value of an arithmetic ``expression``.

    Nothing in it is run: its syntax tree is walked, and only numbers and the usual operators are known.

    Raises:
        ValueError: it is no arithmetic, too long, or a number in it too large.
    """
    if len(expression) > MAX_EXPRESSION:
        raise ValueError(f"an expression has at most {MAX_EXPRESSION} characters")
    try:
        # Without the space at its beginning, which would be an indentation.
        tree = ast.parse(expression.translate(_AS_WRITTEN).strip(), mode="eval")
        value = _value(tree.body)
    except ZeroDivisionError as error:
        raise ValueError("nothing can be divided by zero") from error
    except (SyntaxError, OverflowError, RecursionError, MemoryError) as error:
        raise ValueError("this is no arithmetic expression that can be worked out") from error
    return str(value) if isinstance(value, int) else f"{value:.10g}"


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _bounded(number)
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _UNARY:
            return _UNARY[type(sign)](_value(operand))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _BINARY:
            return _bounded(_BINARY[type(sign)](_value(left), _value(right)))
    raise ValueError("only numbers, + - * / // % ** and parentheses are known")


def _power(base: Number, exponent: Number) -> Number:
    # By its logarithm first, and about: the power itself may not be affordable.
    if abs(base) > 1 and exponent * math.log(abs(base)) > math.log(MAX_MAGNITUDE) + 1:
        raise ValueError("the result is too large")
    if base < 0 and exponent != int(exponent):
        raise ValueError("the result is no real number")
    return _bounded(base**exponent)


def _bounded(value: Number) -> Number:
    if not abs(value) <= MAX_MAGNITUDE:
        raise ValueError("a number in it is too large")
    return value
