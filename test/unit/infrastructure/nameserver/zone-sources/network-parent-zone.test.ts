import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from 'dns-packet';
import { NetworkParentZone } from '../../../../../src/infrastructure/nameserver/zone-sources/network-parent-zone';
import { port53Missing } from '../../../../support/acme/port-53';
import { describeOrSkip } from '../../../../support/describe-or-skip';
import { LoopbackNetwork } from '../../../../support/dnssec/loopback-network';

const SERVFAIL = 2;
const DIGEST = Buffer.alloc(32, 0xab);
const SIGNER = { keyTag: 2371, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) };

interface Reply {
  readonly flags?: number;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
}

const ns = (data: string): Answer => ({ type: 'NS', name: 'name.com', ttl: 90, data });

/** The reply to a query for DS records. */
function ds(name: string, ttl: number): Readonly<Record<string, Reply>> {
  const data = { keyTag: 2371, algorithm: 13, digestType: 2, digest: DIGEST };
  return { [`${name} DS`]: { answers: [{ type: 'DS', name, ttl, data }] } };
}

describeOrSkip(port53Missing())('the DS records that the nameservers of a parent zone serve', () => {
  const network = new LoopbackNetwork();
  const [one, other] = [network.next().address, network.next().address];
  const open: Socket[] = [];
  let asked: string[];

  beforeEach(() => {
    asked = [];
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.close();
  });

  /** Answers each question, written as `name type`, as `replies` has it; any other with no records. */
  const serve = async (title: string, address: string, port: number, replies: Readonly<Record<string, Reply>>) => {
    const socket = createSocket('udp4').bind(port, address);
    await once(socket, 'listening');
    open.push(socket);
    socket.on('message', (bytes, from) => {
      const { id = 0, questions = [] } = decode(bytes);
      const question = `${questions[0]?.name} ${questions[0]?.type}`;
      asked.push(`${title}: ${question}`);
      const { flags = AUTHORITATIVE_ANSWER, answers = [], authorities = [] } = replies[question] ?? {};
      socket.send(
        encode({ type: 'response', id, flags, questions, answers: [...answers], authorities: [...authorities] }),
        from.port,
        from.address,
      );
    });
    return { address, port: socket.address().port };
  };
  const nameservers = (zone: string): Readonly<Record<string, Reply>> => ({
    [`${zone} NS`]: { answers: ['a', 'b'].map((host) => ({ type: 'NS', name: zone, data: `${host}.nic.test` })) },
    'a.nic.test A': { answers: [{ type: 'A', name: 'a.nic.test', data: one }] },
    'b.nic.test A': { answers: [{ type: 'A', name: 'b.nic.test', data: other }] },
  });
  const resolver = (replies: Readonly<Record<string, Reply>>) => serve('resolver', '127.0.0.1', 0, replies);
  const loopback = [{ address: '127.0.0.0', prefix: 8 }];

  it('are those of each nameserver of the closest zone above the name, with the longest TTL', async () => {
    const resolvers = [await resolver(nameservers('uk'))];
    await serve('a', one, 53, ds('name.co.uk', 300));
    await serve('b', other, 53, ds('name.co.uk', 600));

    const found = await new NetworkParentZone({ resolvers, networks: loopback }).queryDsRecords('name.co.uk');

    expect(found).toEqual({ sets: [[SIGNER], [SIGNER]], isComplete: true, ttl: 600 });
    expect(asked.slice(0, 2)).toEqual(['resolver: co.uk NS', 'resolver: uk NS']);
  });

  it('are none at a nameserver that has none, and not known at one that refuses', async () => {
    const resolvers = [await resolver(nameservers('com'))];
    await serve('a', one, 53, {});
    await serve('b', other, 53, { 'name.com DS': { flags: SERVFAIL } });

    const found = await new NetworkParentZone({ resolvers, networks: loopback }).queryDsRecords('name.com');

    expect(found).toEqual({ sets: [[]], isComplete: false, ttl: undefined });
  });

  it('are not complete if a nameserver has no address', async () => {
    const { 'b.nic.test A': _unknown, ...replies } = nameservers('com');
    const resolvers = [await resolver(replies)];
    await serve('a', one, 53, ds('name.com', 60));

    const found = await new NetworkParentZone({ resolvers, networks: loopback }).queryDsRecords('name.com');

    expect(found).toEqual({ sets: [[SIGNER]], isComplete: false, ttl: 60 });
  });

  it('are found with the next resolver if the first one fails', async () => {
    const failing = await resolver({ 'com NS': { flags: SERVFAIL }, 'a.nic.test A': { flags: SERVFAIL } });
    const resolvers = [failing, await resolver(nameservers('com'))];
    await serve('a', one, 53, ds('name.com', 60));

    const found = await new NetworkParentZone({ resolvers, networks: loopback }).queryDsRecords('name.com');

    expect(found?.sets).toEqual([[SIGNER]]);
  });

  it('stand beside a delegation, which a referral or an answer of the name itself tells', async () => {
    const resolvers = [await resolver(nameservers('com'))];
    await serve('a', one, 53, { 'name.com NS': { flags: 0, authorities: [ns('NS1.here.test'), ns('ns2.here.test')] } });
    await serve('b', other, 53, { 'name.com NS': { answers: [ns('ns1.here.test')] } });
    const zone = new NetworkParentZone({ resolvers, networks: loopback });

    expect(await zone.queryDelegation('name.com')).toEqual({
      sets: [['ns1.here.test', 'ns2.here.test'], ['ns1.here.test']],
      isComplete: true,
      ttl: 90,
    });
    expect(await zone.queryDelegation('other.com')).toEqual({ sets: [[], []], isComplete: true, ttl: undefined });
  });

  it('are not asked for at private addresses that the operator has not allowed', async () => {
    const resolvers = [await resolver(nameservers('com'))];
    await serve('a', one, 53, ds('name.com', 60));

    expect(await new NetworkParentZone({ resolvers, networks: [] }).queryDsRecords('name.com')).toBeUndefined();
    expect(asked.filter((line) => line.endsWith(' DS'))).toEqual([]);
  });
});
