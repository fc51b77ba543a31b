"""A Case → the JSONL object that decodes to the same Case, without default values."""

import msgspec

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.decoding.case_parts import COPIED, PARTS


def encode_case(case: Case) -> JsonObject:
    """Returns the case in the fields that authors write, in the order in which they are declared."""
    plain: JsonObject = msgspec.to_builtins(case)
    written = {name: plain[name] for name in COPIED if name in plain}
    for part in PARTS:
        written.update(part.encode(case))
    return {name: written[name] for name in CaseFields.__struct_encode_fields__ if name in written}
