"""Checks as promptfoo's users write them."""


def get_assert(output, context):
    return {"pass": "refund" in output, "score": 1.0, "reason": f"looked at {context['vars']['text'][:6]}"}


def tiny(output, context):
    return len(output) < 4


def longer_than(output, context):
    return len(output) > context["config"]["least"]
