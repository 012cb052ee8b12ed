"""Desired states, which the zone and domain modules apply."""

from .api import segment
from .changes import plan_diff

RECORD_OPTIONS = {
    "name": {"type": "str", "required": True},
    "type": {"type": "str", "required": True},
    "content": {"type": "str", "required": True},
    "ttl": {"type": "int"},
    "priority": {"type": "int"},
    "weight": {"type": "int"},
    "port": {"type": "int"},
    "comment": {"type": "str"},
    "ptr": {"type": "bool"},
}
STATE_OPTIONS = {
    "tags": {"type": "list", "elements": "str"},
    "dnssec": {
        "type": "dict",
        "options": {
            "enabled": {"type": "bool", "required": True},
            "denial": {"type": "str", "choices": ["nsec", "nsec3"]},
        },
    },
    "records": {"type": "list", "elements": "dict", "options": RECORD_OPTIONS},
    "managed_by": {"type": "str"},
}


def given(values):
    """Without the options that the task does not have."""
    if isinstance(values, dict):
        return {name: given(value) for name, value in values.items() if value is not None}
    return [given(value) for value in values] if isinstance(values, list) else values


def document_of(params, names):
    return given({name: params[name] for name in names})


def apply_state(module, api, path, name, document):
    """Plans the state, and applies exactly that plan unless it is empty or in check mode. Returns the result of the module."""
    address = "%s/%s/state" % (path, segment(name))
    planned = api.plan("PUT", address, document)
    plan = planned.body
    result = {"changed": not plan["empty"], "diff": plan_diff(plan), "plan": plan}
    if result["changed"] and not module.check_mode:
        result["plan"] = api.write("PUT", address, document, planned.etag)
    for warning in plan["warnings"]:
        module.warn(warning)
    return result
