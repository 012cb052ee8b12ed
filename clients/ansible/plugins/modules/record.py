#!/usr/bin/python

DOCUMENTATION = r"""
module: record
short_description: RRsets of zones of Namewright
description: Sets the records of one name and type. Needs a key for that name only.
extends_documentation_fragment: [namewright.dns.api]
options:
  zone:
    description: The name of the zone or domain.
    type: str
    required: true
  name:
    description: Relative to the zone. C(@) is the zone itself.
    type: str
    default: '@'
  type:
    description: Such as C(A) or C(MX).
    type: str
    required: true
  values:
    description:
      - The data in presentation format, such as C(10 mail.example.net) for MX. Any spelling of the same data is no change.
      - Required with C(state=present). With C(state=absent) and without values, all records of the name and type are removed.
    type: list
    elements: str
  ttl:
    description: In seconds. Default is as it is, and 3600 for a new RRset.
    type: int
  comment:
    description: A note of the records. Default is as it is.
    type: str
  exclusive:
    description: Whether other records of the name and type are removed with C(state=present).
    type: bool
    default: true
  state:
    description: Whether the records are to be there.
    type: str
    choices: [present, absent]
    default: present
"""

EXAMPLES = r"""
- name: Mail
  namewright.dns.record:
    zone: my-name.com
    type: MX
    values: [10 mail.example.net, 20 backup.example.net]

- name: No host old
  namewright.dns.record:
    zone: my-name.com
    name: old
    type: A
    state: absent
"""

RETURN = r"""
version:
  description: The version of the zone with the change.
  returned: changed, not in check mode
  type: int
"""

from ansible.module_utils.basic import AnsibleModule

from ..module_utils.api import API_OPTIONS, Api, ApiError, segment
from ..module_utils.changes import diff_of, record_line
from ..module_utils.states import given

OPTIONS = {
    "zone": {"type": "str", "required": True},
    "name": {"type": "str", "default": "@"},
    "type": {"type": "str", "required": True},
    "values": {"type": "list", "elements": "str"},
    "ttl": {"type": "int"},
    "comment": {"type": "str"},
    "exclusive": {"type": "bool", "default": True},
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
}
# Numbers before the content, which are members of their own in the API.
NUMBERS = {"MX": ("priority",), "SRV": ("priority", "weight", "port")}
DATA = ("name", "type", "content", "priority", "weight", "port")
NEW_TTL = 3600


def main():
    module = AnsibleModule(
        argument_spec={**API_OPTIONS, **OPTIONS},
        required_if=[("state", "present", ("values",))],
        supports_check_mode=True,
    )
    api = Api(module)
    try:
        zone = api.get("/api/zones/by-name/" + segment(module.params["zone"]))
        module.exit_json(**set_records(module, api, zone))
    except ApiError as error:
        module.fail_json(msg=str(error), code=error.code)


def set_records(module, api, zone):
    params = module.params
    address = "/api/zones/%s/dns/records" % zone["id"]
    present = api.get(address, name=relative(params["name"], zone["name"]), type=params["type"].upper())
    drafts = [draft_of(params, value, present) for value in params["values"] or []]
    wanted, etag = as_stored(api, address, present, drafts)
    edit = edit_of(params, present, wanted)
    before = [record_line(each) for each in present]
    result = {"changed": any(edit.values()), "diff": diff_of(zone["name"], sorted(before), sorted(lines_after(present, edit)))}
    if result["changed"] and not module.check_mode:
        written = api.write("POST", address + "/batch", body_of(edit), etag)
        result["version"] = written["version"]
        for warning in written.get("warnings", []):
            module.warn(warning)
    return result


def relative(name, zone):
    """As lists have it; a name may be written in full."""
    text = name.rstrip(".").lower()
    return "@" if text == zone else text[: -len(zone) - 1] if text.endswith("." + zone) else name


def draft_of(params, value, present):
    kind = params["type"].upper()
    names = NUMBERS.get(kind, ())
    words = value.split(None, len(names)) if names else [value]
    if len(words) <= len(names) or not all(word.isdigit() for word in words[: len(names)]):
        raise ApiError("%s must be %s and a host name" % (value, ", ".join(names)))
    ttl = params["ttl"] or (present[0]["ttl"] if present else NEW_TTL)
    numbers = {name: int(word) for name, word in zip(names, words)}
    return given({"name": params["name"], "type": kind, "content": words[-1], "ttl": ttl, "comment": params["comment"], **numbers})


def as_stored(api, address, present, drafts):
    """The records as the service would store them, which knows which spellings are the same, and the version that says so."""
    edit = {"delete": [each["id"] for each in present], "create": drafts}
    if not present and not drafts:
        return [], None
    planned = api.plan("POST", address + "/batch", edit)
    return planned.body["added"], planned.etag


def edit_of(params, present, wanted):
    found = {data_of(each): each for each in present}
    names = [data_of(each) for each in wanted]
    if params["state"] == "absent":
        removed = [each for each in present if not wanted or data_of(each) in names]
        return {"create": [], "update": [], "delete": removed}
    return {
        "create": [each for each in wanted if data_of(each) not in found],
        "update": [
            {**found[data_of(each)], "ttl": each["ttl"], "comment": params["comment"]}
            for each in wanted
            if data_of(each) in found and differs(params, found[data_of(each)], each)
        ],
        "delete": [each for each in present if params["exclusive"] and data_of(each) not in names],
    }


def data_of(record):
    return tuple(record.get(name) for name in DATA)


def differs(params, present, wanted):
    if params["comment"] is not None and present.get("comment", "") != params["comment"]:
        return True
    return params["ttl"] is not None and present["ttl"] != wanted["ttl"]


def lines_after(present, edit):
    gone = [each["id"] for each in edit["delete"] + edit["update"]]
    stay = [each for each in present if each["id"] not in gone]
    return [record_line(each) for each in stay + edit["update"] + edit["create"]]


def body_of(edit):
    members = DATA + ("ttl", "comment")
    created = [given({name: each.get(name) for name in members}) for each in edit["create"]]
    updated = [given({name: each.get(name) for name in ("id", "ttl", "comment")}) for each in edit["update"]]
    return {"create": created, "update": updated, "delete": [each["id"] for each in edit["delete"]]}


if __name__ == "__main__":
    main()
