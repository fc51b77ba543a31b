import pytest
from tests.fakes.surroundings import write_files

from vivavoce.errors import UsageError
from vivavoce.targets.agent_package.locales import messages_in, read_locales

SEVERAL = {"de-de": {"name": "de-de"}, "en-gb": {"name": "en-gb"}, "en-us": {"name": "en-us"}, "ja": {"name": "ja"}}


@pytest.mark.parametrize(
    ("locale", "used"),
    [("de-de", "de-de"), ("DE-AT", "de-de"), ("en-GB", "en-gb"), ("ja-jp", "ja"), ("fr-fr", "en-us")],
)
def test_the_nearest_language_is_used(locale, used):
    assert messages_in(SEVERAL, locale) == {"name": used}


def test_without_english_the_first_file_is_used_and_without_files_nothing():
    assert messages_in({"ja": {"name": "ja"}, "zh-cn": {}}, "fr-fr") == {"name": "ja"}
    assert messages_in({}, "en-us") == {}


def test_files_are_read_by_their_name_in_lower_case(tmp_path):
    write_files(tmp_path, {"locales/zh-CN.yml": "name: 助手", "locales/en.yaml": "", "locales/notes.txt": "no"})
    assert read_locales(tmp_path) == {"zh-cn": {"name": "助手"}, "en": {}}


def test_a_file_that_is_no_mapping_is_refused(tmp_path):
    write_files(tmp_path, {"locales/en-us.yml": "- name"})
    with pytest.raises(UsageError, match=r"en-us.yml:1: a mapping of names to texts is expected"):
        read_locales(tmp_path)
