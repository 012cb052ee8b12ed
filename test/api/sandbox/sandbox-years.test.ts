import { addYears } from '../../../src/domain/shared/time/calendar';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

onBothDatabases('years advanced in one call', (service) => {
  let client: Api;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });
  afterEach(async () => {
    await client.delete('/api/sandbox/faults').expect(200);
  });

  const advance = (days: number) => client.post('/api/sandbox/advance', { days }).expect(200);
  const given = async (name: string, autoRenew: boolean) => {
    const path = `/api/domains/${await registered(client, name)}`;
    await client.put(`${path}/autorenew`, { auto_renew: autoRenew }).expect(200);
    return path;
  };
  const read = async (path: string) => (await client.get(path).expect(200)).body;
  const chargesOf = async (name: string): Promise<readonly string[]> =>
    (await client.get(`/api/sandbox/ledger?name=${name}`).expect(200)).body.map(
      ({ kind, at }: { kind: string; at: string }) => `${kind} ${at.slice(0, 4)}`,
    );

  it('renew a domain with auto-renewal once a year before it expires', async () => {
    const path = await given('renewed-by-itself.com', true);
    const { expires_at: expiry } = await read(path);

    await advance(1_120);

    const { status, expires_at: after } = await read(path);
    expect({ status, after: after.slice(0, 4) }).toEqual({
      status: 'active',
      after: String(Number(expiry.slice(0, 4)) + 3),
    });
    const { body: operations } = await client.get(`${path}/operations`).expect(200);
    expect(operations.map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`)).toEqual([
      'renew succeeded',
      'renew succeeded',
      'renew succeeded',
      'register succeeded',
    ]);
    expect((await chargesOf('renewed-by-itself.com')).map((charge) => charge.split(' ')[0])).toEqual([
      'register',
      'renew',
      'renew',
      'renew',
    ]);
  });

  it('let a domain without auto-renewal expire, enter redemption and be deleted, without charges', async () => {
    const path = await given('left-alone.com', false);
    const { expires_at: expiry } = await read(path);

    await advance(1_000);

    await client.get(path).expect(404);
    const year = Number(expiry.slice(0, 4));
    expect(await chargesOf('left-alone.com')).toEqual([
      `register ${year - 1}`,
      `auto_renew ${year}`,
      expect.stringMatching(/^refund /),
    ]);
  });

  it('retry a rejected renewal each day until the registry auto-renews', async () => {
    const path = await given('refused-for-ever.com', true);
    const { expires_at: expiry } = await read(path);
    await client.post('/api/sandbox/faults', { kind: 'refuse', target: 'refused-for-ever.com' }).expect(200);
    const renewals = async () =>
      (await client.get(`${path}/operations?limit=500`).expect(200)).body.filter(
        ({ kind }: { kind: string }) => kind === 'renew',
      );

    await advance(360);
    const before = await renewals();
    const { expires_at: refused } = await read(path);
    await advance(10);
    const after = await renewals();

    expect(before.length).toBeGreaterThan(20);
    expect(before.length).toBeLessThan(30);
    expect(before.every(({ state }: { state: string }) => state === 'failed')).toBe(true);
    expect(refused).toBe(expiry);
    expect(after[0].state).toBe('succeeded');
    expect(await read(path)).toMatchObject({
      status: 'active',
      expires_at: addYears(new Date(expiry), 1).toISOString(),
    });
    expect((await chargesOf('refused-for-ever.com')).map((charge) => charge.split(' ')[0])).toEqual([
      'register',
      'auto_renew',
    ]);
  });

  it('pass during an outage, and missed work is done when it ends', async () => {
    const path = await given('cut-off.com', true);
    await client.post('/api/sandbox/faults', { kind: 'outage' }).expect(200);
    await advance(350);
    const during = await read(path);
    await client.delete('/api/sandbox/faults').expect(200);

    await advance(2);

    const after = await read(path);
    expect(after.status).toBe('active');
    expect(Number(after.expires_at.slice(0, 4))).toBe(Number(during.expires_at.slice(0, 4)) + 1);
  });
});
