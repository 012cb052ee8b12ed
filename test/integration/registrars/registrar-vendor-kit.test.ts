import { JsonClient, RegistryNotContacted, RegistryUnavailable } from '../../../src/adapter';
import {
  fillRecordedResponse,
  parseRecordedResponse,
  RecordedVendor,
  type OpenApiDocument,
  type RecordedVendorOptions,
} from '../../../src/testing';

const NAME = { name: 'name', in: 'path', required: true, schema: { type: 'string' } };
const DOCUMENT: OpenApiDocument = {
  servers: [{ url: 'https://api.acme.example/v2' }],
  paths: {
    '/domains/{name}': {
      get: { operationId: 'getDomain', parameters: [NAME], responses: { 200: { description: 'the domain' } } },
    },
    '/domains/{name}:renew': {
      post: {
        operationId: 'renewDomain',
        parameters: [NAME, { name: 'dry', in: 'query', schema: { type: 'boolean' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['years'], properties: { years: { type: 'integer' } } },
            },
          },
        },
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { type: 'object', required: ['order'] },
                examples: { renewed: { value: { order: 1, note: 'from the document' } } },
              },
            },
          },
        },
      },
    },
  },
};
const RECORDED = parseRecordedResponse(
  'HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: application/json\r\n\r\n{"data":{"name":"recorded.com","hosts":["a"],"extra":null}}',
);

let vendor: RecordedVendor;
let client: JsonClient;

async function start(options: Partial<RecordedVendorOptions> = {}): Promise<void> {
  vendor = new RecordedVendor({
    document: DOCUMENT,
    recordings: { getDomain: [RECORDED] },
    handlers: {
      getDomain: ({ path }) => vendor.recorded('getDomain', 200, { data: { name: path['name'], hosts: ['b', 'c'] } }),
      renewDomain: ({ path }, { state }) => {
        const { id } = state.charge({ kind: 'renewal', name: path['name'] ?? '', years: 1, amount: 1_000 });
        return vendor.recorded('renewDomain', 200, { order: id });
      },
    },
    ...options,
  });
  client = new JsonClient({
    vendor: 'Acme',
    url: await vendor.start(),
    headers: { 'Request-Id': 'r1' },
    timeoutMs: 60_000,
  });
}

const renew = (body: object = { years: 1 }) =>
  client.send({ method: 'POST', path: '/domains/example.com:renew', body });

beforeEach(() => start());
afterEach(() => vendor.stop());

describe('the stand-in for registrars', () => {
  it('responds with the recorded response, with its state filled in', async () => {
    const { status, body } = await client.send({ method: 'GET', path: '/domains/example.com' });

    expect(status).toBe(200);
    expect(body).toEqual({ data: { name: 'example.com', hosts: ['b', 'c'], extra: null } });
  });

  it("uses the document's example for a response that was not recorded", async () => {
    expect((await renew()).body).toEqual({ order: vendor.state.ledger[0]?.id, note: 'from the document' });
  });

  it.each([
    ['a body that the schema rejects', () => renew({ years: 'one' }), 'renewDomain: /years must be integer'],
    [
      'an unknown query parameter',
      () => client.send({ method: 'GET', path: '/domains/example.com', query: { page: 2 } }),
      'getDomain: unknown query parameter page',
    ],
    ['a missing body', () => client.send({ method: 'POST', path: '/domains/a.com:renew' }), 'the body is missing'],
    [
      'an unknown path',
      () => client.send({ method: 'GET', path: '/zones' }),
      'the document has no operation GET /zones',
    ],
  ])('reports %s as a violation of the document', async (_title, send, violation) => {
    await send();

    expect(() => vendor.assertNoViolations()).toThrow(violation);
  });

  it.each([
    ['lost_response', 1],
    ['truncated', 1],
    ['duplicate', 2],
    ['slow', 1],
    ['refused', 0],
    ['bad_gateway', 0],
    ['rate_limited', 0],
  ] as const)('runs a request with the fault %s %s times', async (kind, effects) => {
    vendor.injectFault({ kind, operations: ['renewDomain'], name: 'example.com', milliseconds: 1 });

    await client.send({ method: 'GET', path: '/domains/example.com' });
    const error: unknown = await renew().then(
      () => undefined,
      (reason: unknown) => reason,
    );

    expect(vendor.state.ledger).toHaveLength(effects);
    if (kind === 'duplicate' || kind === 'slow') expect(error).toBeUndefined();
    else expect(error).toBeInstanceOf(kind === 'rate_limited' ? RegistryNotContacted : RegistryUnavailable);
  });

  it('runs a request once for each idempotency key', async () => {
    await vendor.stop();
    await start({ idempotencyHeader: 'request-id' });
    vendor.injectFault({ kind: 'duplicate' });

    const first = await renew();
    const second = await renew();

    expect(second.body).toEqual(first.body);
    expect(vendor.state.ledger).toHaveLength(1);
  });

  it('rejects a request without valid credentials', async () => {
    await vendor.stop();
    await start({ isAuthenticated: ({ authorization }) => authorization === 'Bearer right' });

    await expect(renew()).rejects.toBeInstanceOf(RegistryNotContacted);
    expect(vendor.served.map(({ status }) => status)).toEqual([401]);
  });

  it('fills a template: objects are merged, and arrays repeat its first element', () => {
    expect(
      fillRecordedResponse(
        { a: 1, list: [{ x: 0, y: 0 }], gone: true },
        { b: 2, list: [{ x: 1 }, { x: 2 }], gone: undefined },
      ),
    ).toEqual({
      a: 1,
      b: 2,
      list: [
        { x: 1, y: 0 },
        { x: 2, y: 0 },
      ],
    });
  });
});

describe('the state of a stand-in', () => {
  it('completes a transfer to another registrar at the end of its period', async () => {
    const { state } = vendor;
    const { authCode } = state.addDomain('leaving.com', 1, { locked: false });

    const isAccepted = state.requestTransferOut('leaving.com', authCode);
    state.advance(4);
    const isHeldBefore = state.held('leaving.com') !== undefined;
    state.advance(2);

    expect([isAccepted, isHeldBefore, state.held('leaving.com')]).toEqual([true, true, undefined]);
  });

  it('rejects a transfer of a locked name, and one with a wrong auth code', () => {
    const { state } = vendor;
    const locked = state.addDomain('locked.com', 1);
    state.addDomain('open.com', 1, { locked: false });

    expect(state.requestTransferOut('locked.com', locked.authCode)).toBe(false);
    expect(state.requestTransferOut('open.com', 'wrong')).toBe(false);
  });

  it('refunds an order once', () => {
    const { state } = vendor;
    const before = state.balance;
    const order = state.charge({ kind: 'registration', name: 'a.com', years: 1, amount: 1_000 });

    state.refund(order);
    state.refund(order);

    expect(state.balance).toBe(before);
  });
});
