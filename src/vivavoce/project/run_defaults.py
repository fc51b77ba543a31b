"""The type of `run:` in viva.yaml: one field for each run option with a setting, made from its declaration."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, defstruct

from vivavoce.notation.durations import WrittenDuration
from vivavoce.project.option import Kind, Option
from vivavoce.project.run_options import RUN_OPTIONS

Field: TypeAlias = tuple[str, Any, None]
"""As `msgspec.defstruct` takes it: name, type, default."""
_TYPES: dict[Kind, Any] = {"switch": bool, "off switch": bool, "texts": list[str] | str, "duration": WrittenDuration}


class BesideOptions(Struct, frozen=True, kw_only=True):
    """Fields of `run:` that are not options."""

    connector: Annotated[
        str | None,
        Meta(description="The model of packages that name none; also of viva's simulator, validator and generator."),
    ] = None


def field_of(one: Option) -> Field:
    """Returns the field that sets an option's default; None if viva.yaml does not set it."""
    taken = _TYPES.get(one.kind, str)
    if one.kind == "number":
        taken = int if one.least is None else Annotated[int, Meta(ge=one.least)]
    if one.choices:
        taken = Literal[one.choices]
    return one.setting or "", Annotated[taken | None, Meta(description=one.setting_help or one.help)], None


if TYPE_CHECKING:

    class RunDefaults(BesideOptions, frozen=True):
        """What the options of a run default to in this project."""

        def __init__(self, **fields: Any) -> None: ...

        def __getattr__(self, setting: str) -> Any: ...

else:
    RunDefaults = defstruct(
        "RunDefaults",
        [field_of(one) for one in RUN_OPTIONS if one.setting is not None],
        bases=(BesideOptions,),
        module=__name__,
        namespace={"__doc__": "What the options of a run default to in this project."},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
    )
