import { SearchDomains, type SearchOutcome } from '../../../../src/application/registration/search-domains';
import { SETTINGS } from '../../../support/use-cases/registration-settings';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const namesOf = ({ results }: SearchOutcome) => results.map(({ name }) => name.value);

describe('a search', () => {
  let around: UseCaseContext;
  const search = (query: string, tlds?: readonly string[], settings = SETTINGS) =>
    new SearchDomains(around.registry, around.tlds, settings).execute({ ...OURS, query, tlds });

  beforeEach(() => {
    around = new UseCaseContext();
  });

  it('returns availability and prices in the order of the requested TLDs', async () => {
    around.registry.hold('example.net', { sponsoredByUs: false });
    around.registry.setPrice('example.org', { registration: { minor: 4999, currency: 'USD' } });

    const { results, failures } = await search('example', ['org', 'net', 'co.uk']);

    expect(results.map(({ name, available }) => [name.value, available])).toEqual([
      ['example.org', true],
      ['example.net', false],
      ['example.co.uk', true],
    ]);
    expect(results.map(({ price }) => price?.registration.minor)).toEqual([4999, undefined, 1000]);
    expect(failures).toEqual([]);
  });

  it('uses the default TLDs if none are named', async () => {
    expect(namesOf(await search('example'))).toEqual(['example.com', 'example.org', 'example.net']);
  });

  it('asks for a TLD that is named twice once, however it is written', async () => {
    expect(namesOf(await search('example', ['com', 'COM', 'net', 'com']))).toEqual(['example.com', 'example.net']);
  });

  it('returns names in their stored form', async () => {
    expect(namesOf(await search('MÜNCHEN', ['com']))).toEqual(['xn--mnchen-3ya.com']);
  });

  it.each(['zz', 'xn--p1ai', 'example.com'])(
    'says of %s, which no registry here serves, that nothing is available',
    async (tld) => {
      const { results, failures } = await search('example', [tld]);

      expect(results).toEqual([
        { name: expect.objectContaining({ value: `example.${tld}` }) as unknown, available: false },
      ]);
      expect(failures).toEqual([]);
    },
  );

  it('does not offer a name that is a suffix itself', async () => {
    const { results } = await search('co', ['uk']);

    expect(results).toMatchObject([{ name: { value: 'co.uk' }, available: false }]);
  });

  it('omits TLDs whose registry did not respond, and names them', async () => {
    around.registry.next('check').isUnreachable();

    const outcome = await search('example', ['com', 'net']);

    expect(namesOf(outcome)).toEqual(['example.net']);
    expect(outcome.failures).toMatchObject([{ name: 'example.com', error: { code: 'REGISTRY_UNAVAILABLE' } }]);
  });

  it('responds even if no registry does', async () => {
    around.registry.goDown();

    const { results, failures } = await search('example', ['com', 'net']);

    expect(results).toEqual([]);
    expect(failures.map(({ name }) => name)).toEqual(['example.com', 'example.net']);
  });

  it('searches all TLDs in parallel, so that a slow registry delays no other', async () => {
    const slow = around.registry.next('check').respondsLate();
    const searching = search('example', ['com', 'net', 'org']);
    await new Promise(setImmediate);

    const asked = around.registry.callsOf('check').length;
    slow.release();

    expect(asked).toBe(3);
    expect(namesOf(await searching)).toEqual(['example.com', 'example.net', 'example.org']);
  });

  it('waits for a registry up to a time limit, and ignores later responses', async () => {
    const hanging = around.registry.next('check').respondsLate();

    const outcome = await search('example', ['com', 'net'], { ...SETTINGS, searchTimeoutMs: 1 });
    hanging.release();

    expect(namesOf(outcome)).toEqual(['example.net']);
    expect(outcome.failures).toMatchObject([{ name: 'example.com', error: { code: 'REGISTRY_UNAVAILABLE' } }]);
  });

  it('does not report a bug of an adapter as an outage of the registry', async () => {
    const bug = new TypeError('a bug');
    around.registry.next('check').failsWith(bug);

    await expect(search('example', ['com'])).rejects.toBe(bug);
  });

  it.each([
    ['of nothing', '', ['com'], 'query'],
    ['of a name with its TLD', 'example.com', ['com'], 'query'],
    ['of a label that ends in a hyphen', 'example-', ['com'], 'query'],
    ['of a label of 64 characters', 'x'.repeat(64), ['com'], 'query'],
    ['under no TLD', 'example', [], 'tlds'],
    ['under 51 TLDs', 'example', Array.from({ length: 51 }, (_, index) => `tld${index}`), 'tlds'],
    ['under a TLD with a dot before it', 'example', ['com', '.net'], 'tlds[1]'],
    ['under an address', 'example', ['192.0.2.1'], 'tlds[0]'],
    ['under a text of any length', 'example', ['x'.repeat(10_000)], 'tlds[0]'],
  ])('%s is refused, and no registry is asked', async (_what, query, tlds, field) => {
    await expect(search(query, tlds)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: field }] });

    expect(around.registry.calls).toEqual([]);
  });
});
