import { hostOf, parseWebhookSettings } from '../../../../../src/domain/access/webhooks/webhook';
import { ValidationError } from '../../../../../src/domain/shared/validation-error';
import { thrownBy } from '../../../../support/thrown-by';

const parse = (url: string) => parseWebhookSettings({ url }, { allowsHttp: false });
const parseDomains = (domains: readonly string[]) =>
  parseWebhookSettings({ url: 'https://hooks.example.com/', domains }, { allowsHttp: false }).domains;
const host = (length: number) =>
  `${'a.'
    .repeat(length)
    .slice(0, length - 4)
    .replace(/\.$/, 'a')}.com`;

describe('the URL of a webhook', () => {
  it('has a host and port that fit into the activity', () => {
    expect(hostOf(parse(`https://${host(253)}/`))).toHaveLength(253);
    expect(hostOf(parse(`https://${host(248)}:8443/`))).toHaveLength(253);
    for (const longer of [`https://${host(254)}/`, `https://${host(253)}:8443/`, `https://${'a'.repeat(1_900)}.com/`])
      expect(() => parse(longer)).toThrow(ValidationError);
  });
});

describe('the domains of a webhook', () => {
  it('are names of domains and of all zones', () => {
    const names = ['example.com', '_acme-challenge.example.com', 'internal', '0/26.2.0.192.in-addr.arpa'];

    expect(parseDomains(names.map((name) => name.toUpperCase()))).toEqual(names);
  });

  it('are refused as wildcards, without a word about records', () => {
    expect(thrownBy(() => parseDomains(['*.example.com']))?.details).toBe('domains[0] must not have a wildcard label');
  });
});
