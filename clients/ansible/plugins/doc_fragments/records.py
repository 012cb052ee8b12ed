class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  records:
    description:
      - All records of the zone, or, with C(managed_by), those of that program. Others are removed.
      - With C(records), the task is the desired state of the name, whose drift the service reports.
    type: list
    elements: dict
    suboptions:
      name: { description: Relative to the zone. C(@) is the zone itself., type: str, required: true }
      type: { description: Such as C(A)., type: str, required: true }
      content: { description: The data without the numbers of MX and SRV., type: str, required: true }
      ttl: { description: In seconds. Default is 3600., type: int }
      priority: { description: Of MX and SRV., type: int }
      weight: { description: Of SRV., type: int }
      port: { description: Of SRV., type: int }
      comment: { description: A note. Without it a comment stays., type: str }
      ptr: { description: Whether the service keeps a PTR record for the address., type: bool }
  managed_by:
    description: The program whose records C(records) lists. All others stay.
    type: str
"""
