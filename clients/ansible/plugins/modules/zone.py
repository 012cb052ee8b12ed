#!/usr/bin/python

DOCUMENTATION = r"""
module: zone
short_description: Zones of Namewright
description:
  - Creates and deletes zones of names that are not registered at the service. Sets records, tags and DNSSEC of any zone.
  - What the task does not have stays as it is.
extends_documentation_fragment: [namewright.dns.api, namewright.dns.records]
options:
  name:
    description: The name of the zone, such as C(corp.example) or C(2.0.192.in-addr.arpa).
    type: str
    required: true
  state:
    description: C(absent) deletes the zone with its records. The zone of a registered domain cannot be deleted.
    type: str
    choices: [present, absent]
    default: present
  tags:
    description: All tags of the name.
    type: list
    elements: str
  dnssec:
    description: Signing by the service.
    type: dict
    suboptions:
      enabled: { description: Whether the service signs the zone., type: bool, required: true }
      denial: { description: Default is as it is or C(nsec)., type: str, choices: [nsec, nsec3] }
"""

EXAMPLES = r"""
- name: An internal zone
  namewright.dns.zone:
    name: corp.example
    tags: [internal]
    managed_by: ansible
    records:
      - { name: gw, type: A, content: 192.0.2.1, ttl: 300 }
"""

RETURN = r"""
zone:
  description: The zone as the API shows it after the creation. Not of a zone that was there.
  returned: created
  type: dict
plan:
  description: What was changed, or would be in check mode, as the API returns it.
  returned: if the zone is there and the task has tags, dnssec or records
  type: dict
"""

from ansible.module_utils.basic import AnsibleModule

from ..module_utils.api import API_OPTIONS, Api, ApiError, segment
from ..module_utils.changes import diff_of, record_line
from ..module_utils.states import STATE_OPTIONS, apply_state, document_of


def main():
    options = {
        "name": {"type": "str", "required": True},
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    }
    module = AnsibleModule(
        argument_spec={**API_OPTIONS, **STATE_OPTIONS, **options},
        required_by={"managed_by": ["records"]},
        supports_check_mode=True,
    )
    api = Api(module)
    try:
        run = ensure_absent if module.params["state"] == "absent" else ensure_present
        module.exit_json(**run(module, api))
    except ApiError as error:
        module.fail_json(msg=str(error), code=error.code)


def ensure_present(module, api):
    name = module.params["name"]
    document = document_of(module.params, STATE_OPTIONS)
    if api.find("/api/zones/by-name/" + segment(name)) is not None:
        return apply_state(module, api, "/api/zones/by-name", name, document) if document else {"changed": False}
    created = create(module, api, name)
    if document and not module.check_mode:
        applied = apply_state(module, api, "/api/zones/by-name", name, document)
        return {**applied, "changed": True, "diff": [created["diff"], applied["diff"]], "zone": created["zone"]}
    wanted = [record_line({"ttl": 3600, **record}) for record in document.get("records", [])]
    return {**created, "diff": [created["diff"], diff_of(name, [], sorted(wanted))]}


def create(module, api, name):
    if module.check_mode:
        # Refused names fail in check mode, too.
        zone = api.plan("POST", "/api/zones", {"name": name}).body
    else:
        zone = api.write("POST", "/api/zones", {"name": name})
    return {"changed": True, "diff": diff_of("zones", [], [name]), "zone": zone}


def ensure_absent(module, api):
    name = module.params["name"]
    zone = api.find("/api/zones/by-name/" + segment(name))
    if zone is None:
        return {"changed": False}
    if zone["kind"] == "registered":
        raise ApiError("%s is a registered domain, whose zone is not deleted" % name)
    if not module.check_mode:
        api.write("DELETE", "/api/zones/" + zone["id"])
    return {"changed": True, "diff": diff_of("zones", ["%s with %s records" % (name, zone["records"])], [])}


if __name__ == "__main__":
    main()
