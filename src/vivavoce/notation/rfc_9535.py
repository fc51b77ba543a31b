"""RFC 9535 by python-jsonpath, with linear-time patterns. Imported only where a path needs it."""

from jsonpath import JSONPathEnvironment
from jsonpath.filter import StringLiteral
from jsonpath.function_extensions import ExpressionType, FilterFunction
from jsonpath.match import NodeList

from vivavoce.model.json_value import JsonArray, JsonValue, json_equal
from vivavoce.notation.patterns import compile_regex

_ORDERS = ("<", "<=", ">", ">=")


class Matching(FilterFunction):
    """`match()` and `search()`. Here a bad pattern is an error; in the standard it matches nothing, and a negated check
    would pass."""

    def __init__(self, *, whole: bool) -> None:
        self._method = "fullmatch" if whole else "search"

    @property
    def arg_types(self) -> list[ExpressionType]:
        return [ExpressionType.VALUE, ExpressionType.VALUE]

    @property
    def return_type(self) -> ExpressionType:
        return ExpressionType.LOGICAL

    def __call__(self, value: object, pattern: object) -> bool:
        if not isinstance(value, str) or not isinstance(pattern, str):
            return False
        return getattr(compile_regex(pattern), self._method)(value) is not None


class Rfc9535(JSONPathEnvironment):
    """Compiles paths strictly as the standard says."""

    def __init__(self) -> None:
        super().__init__(strict=True)

    def setup_function_extensions(self) -> None:
        super().setup_function_extensions()
        self.function_extensions["match"] = Matching(whole=True)
        self.function_extensions["search"] = Matching(whole=False)

    def compare(self, left: object, operator: str, right: object) -> bool:
        """As the standard says: `true` is no number, also not inside of lists and objects."""
        if operator in _ORDERS and (isinstance(left, bool) or isinstance(right, bool)):
            return "=" in operator and left is right
        if operator in ("==", "!=") and not isinstance(left, NodeList) and not isinstance(right, NodeList):
            return json_equal(left, right) == (operator == "==")
        return super().compare(left, operator, right)

    def check_well_typedness(self, token: JsonValue, func: FilterFunction, args: JsonArray) -> None:
        super().check_well_typedness(token, func, args)
        if isinstance(func, Matching) and isinstance(args[1], StringLiteral):
            compile_regex(args[1].value)
