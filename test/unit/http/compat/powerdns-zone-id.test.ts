import { powerDnsZoneId, zoneNameOfId } from '../../../../src/http/compat/powerdns/powerdns-zone-id';

describe('the id of a zone in the PowerDNS API', () => {
  it.each([
    ['example.com', 'example.com.'],
    ['0/26.2.0.192.in-addr.arpa', '0=2F26.2.0.192.in-addr.arpa.'],
    ['_acme-challenge.example.com', '=5Facme-challenge.example.com.'],
  ])('of %s is %s, as PowerDNS writes it', (name, id) => {
    expect(powerDnsZoneId(name)).toBe(id);
    expect(zoneNameOfId(id)).toBe(name);
    expect(zoneNameOfId(name)).toBe(name);
  });
});
