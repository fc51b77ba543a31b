import pytest
from tests.fakes.surroundings import write_files

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.targets.agent_package.loader import load_package, required_package

PACKAGE = """// an expense agent
{"name": "Expense", "description": "files expenses", "connector": "openai.gpt4", /* Yao's own: */ "avatar": "x.png",
 "options": {"temperature": 0.1,}, "tools": ["create"], "mcp": [{"command": "calc"}],}"""


def load(root, **files: str):
    write_files(
        root, {"package.yao": '{"name": "K"}', **{name.replace("__", "."): text for name, text in files.items()}}
    )
    return load_package(root, Project(root=root))


def test_a_package_is_read_as_yao_writes_it(tmp_path):
    package = load(tmp_path, package__yao=PACKAGE, prompts__yml="- role: system\n  content: hi\n")
    assert (package.name, package.description, package.connector) == ("Expense", "files expenses", "openai.gpt4")
    assert package.options == {"temperature": 0.1}
    assert package.tools == ["create"]
    assert package.mcp[0].command == "calc"
    assert [(prompt.role, prompt.content) for prompt in package.prompts] == [("system", "hi")]


def test_prompts_may_stand_in_the_package_itself(tmp_path):
    text = '{"name": "K", "prompts": [{"role": "system", "content": "inline"}]}'
    package = load(tmp_path, package__yao=text, prompts__yml="- {role: system, content: file}")
    assert [prompt.content for prompt in package.prompts] == ["inline"]


@pytest.mark.parametrize("name", ["index.ts", "index.js"])
def test_hooks_that_are_not_python_are_a_problem_of_the_package(tmp_path, name):
    with pytest.raises(UsageError, match="viva runs hooks written in Python") as caught:
        load(tmp_path, **{f"src/{name.replace('.', '__')}": "export function Create() {}"})
    assert str(caught.value.at).endswith(f"src/{name}")
    assert "src/index.py" in str(caught.value.hint)


def test_hooks_in_python_beside_typescript_are_enough(tmp_path):
    assert load(tmp_path, **{"src/index__ts": "", "src/index__py": ""}).hooks_file.is_file()


def test_name_and_description_come_from_the_locale_file(tmp_path):
    package = load(
        tmp_path,
        package__yao='{"name": "{{ name }}", "description": "{{ about.short }} {{ nobody }}"}',
        **{
            "locales/en-us__yml": "name: Keeper\nabout: {short: keeps}",
            "locales/de-de__yml": "name: Wächter",
        },
    )
    assert (package.name, package.description) == ("Keeper", "keeps {{ nobody }}")
    assert package.said_in("de")["name"] == "Wächter"


def test_a_package_needs_neither_prompts_nor_tools(tmp_path):
    package = load(tmp_path, prompts__yml="")
    assert (package.prompts, package.tools, package.mcp) == ((), None, ())


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"package__yao": '{"connector": "c"}'}, "package.yao: the field 'name' is missing"),
        ({"package__yao": '{"name": 3}'}, "package.yao: name: wanted text, found a whole number"),
        ({"package__yao": '{\n"name" "x"}'}, "package.yao:2: bad JSON"),
        ({"package__yao": "[]"}, "package.yao:1: a JSON object is expected"),
        ({"prompts__yml": "role: system"}, "prompts.yml:1: a list of prompts is expected"),
        ({"prompts__yml": "- role: system\n  content: a\n- role: sistem\n  content: b"}, "prompts.yml:3: unknown role"),
        ({"prompts__yml": "- role: system\n  text: a"}, "prompts.yml:1: bad prompt: "),
        ({"prompts__yml": "- role: system\n  content: '{{ a b }}'"}, "prompts.yml:1: bad template"),
        ({"prompts__yml": "- role: [\n"}, "bad YAML"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, monkeypatch, files, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        load(tmp_path, **files)
    assert words in str(caught.value)


def test_a_package_is_found_by_path_id_and_shipped_name(tmp_path):
    folder = tmp_path / "assistants" / "workers" / "pay"
    write_files(folder, {"package.yao": "{}"})
    project = Project(root=tmp_path)
    for name in (str(folder), "assistants/workers/pay", "workers.pay", "assistants.workers.pay"):
        assert required_package(name, project) == folder
    assert required_package("viva.simulator", project).name == "simulator"
    with pytest.raises(UsageError, match=r"there is no agent package 'workers.pya' \(did you mean 'workers.pay'\?\)"):
        required_package("workers.pya", project)
