"""A domain's life: search, quote, register, records, wait until they are published, renew, events.

NAMEWRIGHT_URL=… NAMEWRIGHT_API_KEY=… python domain_life.py my-name com
"""

import os
import sys
import time

import namewright
from namewright import Address, AddRecord, ApiError, Contacts, EditRecords, ErrorCode, Quote, QuoteDomain
from namewright import RegisterDomain, Registrant, RenewDomainRequest, Search

label, tld = (sys.argv[1:] + ["my-name", "com"][len(sys.argv) - 1 :])[:2]
client = namewright.connect(os.environ.get("NAMEWRIGHT_URL", "http://127.0.0.1:3000"), os.environ["NAMEWRIGHT_API_KEY"])

found = client.search_domains(Search(query=label, tlds=[tld])).results[0]
if not found.available:
    sys.exit(f"{label}.{tld} is taken")
print(f"free: {found.name}")

total = client.quote_domains(Quote(domains=[QuoteDomain(name=found.name, years=1)])).total
print(f"price: {total.amount} {total.currency}")

registrant = Registrant(
    first_name="Ada",
    last_name="Lovelace",
    email="ada@example.com",
    phone="+44.2079460000",
    address=Address(street="12 St James Square", city="London", country="GB"),
)
registered = client.register_domain(RegisterDomain(name=found.name, years=1, contacts=Contacts(registrant=registrant)))
domain = client.read_domain(registered.id)
while domain.status == "pending":
    time.sleep(0.2)
    domain = client.read_domain(domain.id)
print(f"registered: {domain.name}")

# One change, or none: both records get the same version.
records = [
    AddRecord(type_="A", name="@", content="192.0.2.1"),
    AddRecord(type_="MX", name="@", content="mail.example.net", priority=10),
]
client.edit_records(domain.id, EditRecords(create=records), wait="published")
print(f"published: {str(client.read_publication(domain.id).published).lower()}")

try:
    client.add_record(domain.id, AddRecord(type_="CNAME", name="@", content="example.net"))
except ApiError as error:
    if error.code != ErrorCode.CNAME_AT_ROOT:
        raise
    print(f"refused: {error.code}")

# With the expiry that it is to extend, a repetition in another program cannot renew it twice.
renewed = client.renew_domain(domain.id, RenewDomainRequest(years=1, current_expiry=domain.expires_at))
print(f"renewed: {renewed.renewal.years} year")

for event in client.follow_events(domain=domain.name):
    print(f"event: {event.type_}")
    if event.type_ == "domain.renewed":
        break
client.close()
