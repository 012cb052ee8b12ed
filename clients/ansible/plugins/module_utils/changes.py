"""What changes, as the text of diff mode."""

import json


def record_line(record):
    numbers = [record.get(name) for name in ("priority", "weight", "port")]
    words = [record["name"], record["ttl"], record["type"]] + [n for n in numbers if n is not None]
    return " ".join(str(word) for word in words + [record["content"]])


def diff_of(header, before, after):
    return {
        "before_header": header,
        "after_header": header,
        "before": "".join(line + "\n" for line in before),
        "after": "".join(line + "\n" for line in after),
    }


def plan_diff(plan):
    """Only what the plan of a state changes."""
    records = plan["records"]
    before = [record_line(each) for each in records["removed"] + [pair["before"] for pair in records["changed"]]]
    after = [record_line(each) for each in records["added"] + [pair["after"] for pair in records["changed"]]]
    for change in plan["settings"]:
        before.append(_setting(change["setting"], change["before"]))
        after.append(_setting(change["setting"], change["after"]))
    for operation in plan["operations"]:
        price = operation["price"]
        cost = " for %s %s" % (price["amount"], price["currency"]) if price else ""
        after.append("at the registry: %s%s" % (operation["kind"], cost))
    return diff_of(plan["name"], sorted(before), sorted(after))


def _setting(name, value):
    return "%s: %s" % (name, json.dumps(value, ensure_ascii=False, sort_keys=True))
