"""Everything in the catalog is there, and every declaration says what its room does."""

from typing import Any

import msgspec
import pytest

from vivavoce.plugins.catalog import ALL, LEGACY_KIND, OBJECT_KIND, PACKAGE_KIND, REPORTS, TARGETS


@pytest.mark.parametrize("registry", ALL, ids=lambda registry: registry.group)
def test_every_built_in_is_there_and_has_the_shape_plugins_must_have(registry: Any):
    for name in registry.built_in:
        if registry is not REPORTS:  # their suffixes are taken, by themselves
            assert registry._shape(name, registry.load(name)) == ""


@pytest.mark.parametrize("prefix", TARGETS.built_in)
def test_a_kind_is_found_under_its_own_name_and_has_its_address_as_a_field(prefix: str):
    kind = TARGETS.load(prefix)
    assert TARGETS.load(kind.name) is kind
    if kind.fields is not None:
        assert kind.name in [field.encode_name for field in msgspec.structs.fields(kind.fields)]


def test_the_kinds_that_viva_itself_makes_agents_of_exist():
    assert {LEGACY_KIND, OBJECT_KIND, PACKAGE_KIND} <= set(TARGETS.built_in)


@pytest.mark.parametrize("name", REPORTS.built_in)
def test_every_format_has_a_writer(name: str):
    assert callable(REPORTS.load(name).writer)


def test_the_help_of_o_names_every_suffix():
    from vivavoce.cli.commands.test import command
    from vivavoce.reporters.formats import document_suffixes

    [output] = [param for param in command.params if param.name == "outputs"]
    assert [suffix for suffix in document_suffixes() if suffix not in str(getattr(output, "help", ""))] == []
