#!/usr/bin/python

DOCUMENTATION = r"""
module: domain
short_description: Settings of domains that are registered through Namewright
description:
  - Makes the settings of a domain what the task says, in one transaction with its records. What the task does not have stays as it is.
  - Registers a name only with C(register) and C(max_price). Nothing deletes a registration.
extends_documentation_fragment: [namewright.dns.api, namewright.dns.records]
options:
  name:
    description: The name of the domain.
    type: str
    required: true
  nameservers:
    description: The nameservers at the registry, in any order.
    type: list
    elements: str
  registrant:
    description: The name or the id of a domain of the account, whose registrant is taken.
    type: str
  transfer_locked:
    description: The transfer lock.
    type: bool
  auto_renew:
    description: Automatic renewal.
    type: bool
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
  register:
    description: Registers the name if it is not here. A name that was here and is gone is not bought again.
    type: bool
  max_price:
    description: The most that the registration may cost for its whole term.
    type: dict
    suboptions:
      amount: { description: Such as C(12.5)., type: float, required: true }
      currency: { description: ISO 4217 code., type: str, required: true }
  years:
    description: The term of a registration. Default is 1.
    type: int
  wait:
    description: Seconds to wait for the registry. C(0) does not wait. What takes longer continues, with a warning.
    type: int
    default: 120
"""

EXAMPLES = r"""
- name: Settings of a domain
  namewright.dns.domain:
    name: my-name.com
    transfer_locked: true
    auto_renew: true
    tags: [shop]

- name: A domain that is registered if it costs at most 20 USD
  namewright.dns.domain:
    name: my-second-name.com
    register: true
    max_price: { amount: 20, currency: USD }
    registrant: my-name.com
"""

RETURN = r"""
plan:
  description: What was changed, or would be in check mode, with its cost, as the API returns it.
  returned: success
  type: dict
"""

import time

from ansible.module_utils.basic import AnsibleModule

from ..module_utils.api import API_OPTIONS, Api, ApiError
from ..module_utils.states import STATE_OPTIONS, apply_state, document_of

SETTINGS = {
    "nameservers": {"type": "list", "elements": "str"},
    "transfer_locked": {"type": "bool"},
    "auto_renew": {"type": "bool"},
    "register": {"type": "bool"},
    "max_price": {
        "type": "dict",
        "options": {
            "amount": {"type": "float", "required": True},
            "currency": {"type": "str", "required": True},
        },
    },
    "years": {"type": "int"},
    **STATE_OPTIONS,
}
POLL_SECONDS = 1


def main():
    options = {
        "name": {"type": "str", "required": True},
        "registrant": {"type": "str"},
        "wait": {"type": "int", "default": 120},
    }
    module = AnsibleModule(
        argument_spec={**API_OPTIONS, **SETTINGS, **options},
        required_by={"managed_by": ["records"], "register": ["max_price", "registrant"]},
        supports_check_mode=True,
    )
    api = Api(module)
    document = document_of(module.params, SETTINGS)
    if module.params["registrant"] is not None:
        document["registrant"] = {"contact": module.params["registrant"]}
    try:
        result = apply_state(module, api, "/api/domains/by-name", module.params["name"], document)
        if result["changed"] and not module.check_mode:
            wait_for_registry(module, api, result["plan"]["operations"])
        module.exit_json(**result)
    except ApiError as error:
        module.fail_json(msg=str(error), code=error.code)


def wait_for_registry(module, api, ordered):
    deadline = time.monotonic() + module.params["wait"]
    for each in ordered:
        if each["id"] is None:
            continue
        operation = api.get("/api/operations/" + each["id"])
        while operation["state"] not in ("succeeded", "failed") and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
            operation = api.get("/api/operations/" + each["id"])
        if operation["state"] == "failed":
            raise ApiError("The registry refused %s: %s" % (each["kind"], operation["error"]["message"]))
        if operation["state"] != "succeeded" and module.params["wait"] > 0:
            module.warn("%s continues at the registry (%s)" % (each["kind"], each["id"]))


if __name__ == "__main__":
    main()
