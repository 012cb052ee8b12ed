import { ProviderKeys } from '../../../../../src/application/dns/domain-connect/catalog/provider-keys';
import { parseApplyQuery, type QuerySignature } from '../../../../../src/domain/domain-connect/apply-query';
import type { Lookup } from '../../../../../src/domain/health/lookup';
import { keyRecords, PROVIDER, signedLink } from '../../../../support/domain-connect/connect-provider';
import { MovableClock } from '../../../../support/fakes/movable-clock';

const FOUND: Lookup = {
  kind: 'found',
  records: keyRecords().map((record) => record.split(' ').slice(3).join(' ')),
  via: [],
  isAuthentic: true,
};

function signatureOf(key = '_dck1'): QuerySignature {
  const { signature } = parseApplyQuery(signedLink({ domain: 'example.com' }, key).split('?')[1] ?? '');
  if (!signature) throw new Error('the link is not signed');
  return signature;
}

describe('the keys of service providers', () => {
  let lookup: Lookup;
  let asked: string[];
  let clock: MovableClock;
  let keys: ProviderKeys;

  beforeEach(() => {
    [lookup, asked] = [FOUND, []];
    clock = new MovableClock('2026-06-01T00:00:00.000Z');
    const resolve = async ({ name }: { readonly name: string }): Promise<Lookup> => {
      asked.push(name);
      return lookup;
    };
    keys = new ProviderKeys({ resolve }, clock);
  });

  const verify = (key = '_dck1', isFinal = false) => keys.verify(signatureOf(key), PROVIDER.keyDomain, { isFinal });

  it('are looked up once a minute, and again when a person has agreed', async () => {
    await verify();
    await verify();
    await verify('_dck1', true);
    clock.advance({ ms: 60_001 });
    await verify();

    expect(asked).toEqual(Array.from({ length: 3 }, () => '_dck1.keys.provider.example'));
  });

  it('are not kept beyond 500', async () => {
    for (let index = 0; index < 501; index += 1) await verify(`_k${index}`);
    await verify('_k500');
    await verify('_k0');

    expect(asked).toHaveLength(502);
  });

  it('of before are forgotten if the provider has replaced its key', async () => {
    await verify();
    lookup = { kind: 'no_name', via: [] };

    await expect(verify('_dck1', true)).rejects.toMatchObject({ error: 'invalid_request' });
  });

  it.each<Lookup>([{ kind: 'servfail' }, { kind: 'failed', reason: 'no answer' }])(
    'cannot be judged for the moment if the resolver says %j',
    async (failure) => {
      lookup = failure;

      await expect(verify()).rejects.toMatchObject({ error: 'temporarily_unavailable' });
    },
  );
});
