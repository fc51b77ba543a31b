"""As much of XML Schema as tests/data/junit.xsd uses: sequences of elements, attributes, simple types."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

_XS = "{http://www.w3.org/2001/XMLSchema}"
_SIMPLE = {
    "xs:string": r"[\s\S]*",
    "xs:nonNegativeInteger": r"\d+",
    "xs:decimal": r"-?\d+(\.\d+)?",
    "xs:dateTime": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?",
}


class Schema:
    def __init__(self, path: Path) -> None:
        self._top = {element.get("name", ""): element for element in ET.parse(path).getroot()}

    def problems(self, text: str) -> list[str]:
        """What in a document the schema does not allow."""
        root = ET.fromstring(text.encode())
        return self._check(root, self._top[root.tag], root.tag)

    def _check(self, node: ET.Element, rule: ET.Element, path: str) -> list[str]:
        kind = rule.find(f"{_XS}complexType")
        if kind is None:
            return [f"{path} may not have children or attributes"] if len(node) or node.attrib else []
        found = self._attributes(node, kind, path)
        if kind.get("mixed") != "true" and (node.text or "").strip():
            found.append(f"{path} may not have text")
        wanted = list(kind.iterfind(f"{_XS}sequence/{_XS}element"))
        children = list(node)
        for rule in wanted:
            resolved = self._top[rule.get("ref", "")] if rule.get("ref") else rule
            name, count = resolved.get("name"), 0
            while children and children[0].tag == name:
                found += self._check(children.pop(0), resolved, f"{path}/{name}")
                count += 1
            if count < int(rule.get("minOccurs", "1")):
                found.append(f"{path} lacks {name}")
            if rule.get("maxOccurs", "1") != "unbounded" and count > 1:
                found.append(f"{path} has {name} {count} times")
        return found + [f"{path}: {child.tag} is unknown or out of order" for child in children]

    def _attributes(self, node: ET.Element, kind: ET.Element, path: str) -> list[str]:
        known = {rule.get("name", ""): rule for rule in kind.iterfind(f"{_XS}attribute")}
        found = [f"{path} lacks @{name}" for name, rule in known.items() if rule.get("use") and name not in node.attrib]
        for name, value in node.attrib.items():
            if name not in known:
                found.append(f"{path}: unknown @{name}")
            elif not re.fullmatch(_SIMPLE[known[name].get("type", "")], value):
                found.append(f"{path}/@{name}: {value!r} is no {known[name].get('type')}")
        return found
