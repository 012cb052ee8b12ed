import {
  connect,
  followEvents,
  hasCode,
  NamewrightError,
  ServiceUnreachable,
  WriteProposed,
} from '../../../clients/typescript/src/namewright.ts';

type Reply = { status: number; body?: unknown; text?: string; headers?: Record<string, string> } | Error;

/** A service that gives these replies, one after another. */
const scripted = (...replies: readonly Reply[]) => scriptedFor({}, ...replies);

function scriptedFor(options: { readonly retries?: number }, ...replies: readonly Reply[]) {
  const requests: { url: string; method: string; headers: Headers; body: unknown }[] = [];
  const waits: number[] = [];
  const waiting = [...replies];
  const client = connect({
    url: 'https://names.example.com/',
    key: 'nw_live_key.secret',
    ...options,
    sleep: async (ms) => void waits.push(ms),
    fetch: async (url, init = {}) => {
      requests.push({
        url: url instanceof Request ? url.url : url.toString(),
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        body: init.body,
      });
      const reply = waiting.shift();
      if (!reply) throw new TypeError('the test has no further reply');
      if (reply instanceof Error) throw reply;
      return new Response(reply.text ?? JSON.stringify(reply.body ?? {}), {
        status: reply.status,
        headers: { 'Content-Type': reply.text === undefined ? 'application/json' : 'text/html', ...reply.headers },
      });
    },
  });
  return { client, requests, waits };
}

const failure = (code: string, details?: string) => ({ error: { code, message: `It is ${code}`, details } });
const RECORD = { type: 'A', name: 'www', content: '192.0.2.1' } as const;

describe('the TypeScript client', () => {
  it('throws what a key may only propose, and does not repeat it', async () => {
    const location = '/api/proposals/prop_1';
    const { client, requests } = scripted({ status: 202, body: { id: 'prop_1' }, headers: { Location: location } });

    const changing = client.changeTags({ path: { id: 'dom_1' }, body: { tags: ['a'] } });

    await expect(changing).rejects.toMatchObject({ location });
    await expect(changing).rejects.toBeInstanceOf(WriteProposed);
    expect(requests).toHaveLength(1);
  });

  it('sends the key and the body, and returns the response', async () => {
    const { client, requests } = scripted({ status: 200, body: { id: 'dom_1', tags: ['a'] } });

    const changed = await client.changeTags({ path: { id: 'dom_1' }, body: { tags: ['a'] } });

    expect(changed).toEqual({ id: 'dom_1', tags: ['a'] });
    expect(requests).toMatchObject([
      { url: 'https://names.example.com/api/domains/dom_1/tags', method: 'PUT', body: '{"tags":["a"]}' },
    ]);
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer nw_live_key.secret');
  });

  it('repeats a write with the same Idempotency-Key after a lost connection', async () => {
    const { client, requests } = scripted(new TypeError('terminated'), { status: 201, body: { id: 'rec_1' } });

    await expect(client.addRecord({ path: { id: 'dom_1' }, body: RECORD })).resolves.toEqual({ id: 'rec_1' });

    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
  });

  it.each([
    [
      'PUT',
      (client: ReturnType<typeof connect>) =>
        client.changeAutoRenewal({ path: { id: 'dom_1' }, body: { auto_renew: true } }),
    ],
    [
      'DELETE',
      (client: ReturnType<typeof connect>) => client.removeRecord({ path: { id: 'dom_1', record_id: 'rec_1' } }),
    ],
  ])('gives each %s another key', async (_method, write) => {
    const { client, requests } = scripted({ status: 200 }, { status: 200 });

    await write(client);
    await write(client);

    const [first, second] = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect([first, second]).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    expect(second).not.toBe(first);
  });

  it('keeps an Idempotency-Key of the caller, and gives a read none', async () => {
    const { client, requests } = scripted({ status: 201 }, { status: 200 });

    await client.addRecord({ path: { id: 'dom_1' }, body: RECORD, headers: { 'Idempotency-Key': 'mine' } });
    await client.readDomain({ path: { id: 'dom_1' } });

    expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', null]);
  });

  it('waits as long as Retry-After says', async () => {
    const { client, waits } = scripted(
      { status: 429, body: failure('RATE_LIMIT_EXCEEDED'), headers: { 'Retry-After': '7' } },
      { status: 409, body: failure('OPERATION_IN_PROGRESS'), headers: { 'Retry-After': '2' } },
      { status: 200, body: [] },
    );

    await expect(client.listDomains()).resolves.toEqual([]);

    expect(waits).toEqual([7000, 2000]);
  });

  it('does not wait longer than the caller allows', async () => {
    const { client, waits } = scripted({
      status: 429,
      body: failure('RATE_LIMIT_EXCEEDED'),
      headers: { 'Retry-After': '86400' },
    });

    await expect(client.listDomains()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 86400 });

    expect(waits).toEqual([]);
  });

  it('throws the code, details and request id of a refusal at once', async () => {
    const refusal = {
      status: 400,
      body: failure('INVALID_RECORD_CONTENT', 'An IPv4 address'),
      headers: { 'X-Request-Id': 'r1' },
    };
    const { client } = scripted(refusal);

    const error: unknown = await client
      .addRecord({ path: { id: 'dom_1' }, body: RECORD })
      .catch((each: unknown) => each);

    expect(error).toBeInstanceOf(NamewrightError);
    expect(error).toMatchObject({
      code: 'INVALID_RECORD_CONTENT',
      message: 'It is INVALID_RECORD_CONTENT',
      status: 400,
      details: 'An IPv4 address',
      requestId: 'r1',
    });
    expect(hasCode(error, 'CNAME_AT_ROOT', 'INVALID_RECORD_CONTENT')).toBe(true);
    expect(hasCode(error, 'CNAME_AT_ROOT')).toBe(false);
  });

  it('throws the last error after four repetitions', async () => {
    const down = { status: 503, text: '<h1>Bad gateway</h1>' };
    const { client, requests } = scripted(down, down, down, down, down, { status: 200 });

    await expect(client.listDomains()).rejects.toMatchObject({ code: 'UNKNOWN_RESPONSE', status: 503 });

    expect(requests).toHaveLength(5);
  });

  it('waits at most 30 seconds between attempts, as many as it is allowed', async () => {
    const lost = new TypeError('fetch failed');
    const replies = [...Array.from({ length: 20 }, () => lost), { status: 200, body: [] }];
    const { client, waits } = scriptedFor({ retries: 20 }, ...replies);

    await expect(client.listDomains()).resolves.toEqual([]);

    expect(waits).toHaveLength(20);
    expect(Math.min(...waits.slice(-10))).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
  });

  it('says which service does not respond', async () => {
    const lost = new TypeError('fetch failed');
    const { client } = scripted(lost, lost, lost, lost, lost);

    const error: unknown = await client.listDomains().catch((each: unknown) => each);

    expect(error).toBeInstanceOf(ServiceUnreachable);
    expect(error).toMatchObject({ message: 'https://names.example.com does not respond', cause: lost });
  });

  it('reads a list page after page, with typed errors on each', async () => {
    const { client, requests } = scripted(
      { status: 200, body: [{ name: 'a.com' }], headers: { Link: '</api/domains?limit=1&cursor=b>; rel="next"' } },
      { status: 503, body: failure('SERVICE_UNAVAILABLE'), headers: { 'Retry-After': '1' } },
      { status: 200, body: [{ name: 'b.com' }], headers: { Link: '</api/domains?limit=1&cursor=c>; rel="next"' } },
      { status: 401, body: failure('INVALID_API_KEY') },
    );
    const names: string[] = [];

    const reading = (async () => {
      for await (const { name } of client.listDomains.items({ query: { limit: 1 } })) names.push(name);
    })();

    await expect(reading).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    expect(names).toEqual(['a.com', 'b.com']);
    expect(requests[2]!.url).toBe('https://names.example.com/api/domains?limit=1&cursor=b');
  });

  it('follows events from the position of the last response, past those that are filtered out', async () => {
    const { client, requests } = scripted(
      { status: 200, body: [{ id: 'evt_1' }], headers: { 'Events-Position': 'evt_1' } },
      { status: 200, body: [], headers: { 'Events-Position': 'evt_9' } },
      { status: 200, body: [{ id: 'evt_10' }], headers: { 'Events-Position': 'evt_10' } },
    );
    const events = followEvents(client, { after: 'evt_0', types: ['domain.*', 'records.changed'] });

    const [first, second] = [await events.next(), await events.next()];

    expect([first.value.id, second.value.id]).toEqual(['evt_1', 'evt_10']);
    const queries = requests.map(({ url }) => new URL(url).searchParams);
    expect(queries.map((query) => [query.get('after'), query.get('types'), query.get('wait')])).toEqual([
      ['evt_0', 'domain.*,records.changed', '30'],
      ['evt_1', 'domain.*,records.changed', '30'],
      ['evt_9', 'domain.*,records.changed', '30'],
    ]);
  });
});
