import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { AUTHENTIC_DATA, decode, encode, RECURSION_AVAILABLE, type Answer } from 'dns-packet';
import { NetworkChildZones } from '../../../../../src/infrastructure/nameserver/zone-sources/network-child-zones';

const ZONE = 'child.com';
const NAME = '_dsboot.child.com._signal.ns1.operator.net';
const SIGNER = { keyTag: 2371, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) };

describe('the signaling names of the operators of nameservers', () => {
  let socket: Socket;
  let isValidated: boolean;
  let asked: string[];

  beforeEach(async () => {
    [isValidated, asked] = [true, []];
    socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.on('message', (bytes, from) => {
      const { id = 0, questions = [] } = decode(bytes);
      const [question] = questions;
      asked.push(`${question?.name} ${question?.type}`);
      const data = Buffer.concat([Buffer.from([2371 >> 8, 2371 & 0xff, 13, 2]), Buffer.alloc(32, 0xab)]);
      const cds = { type: 'CDS', name: NAME, ttl: 60, data } as unknown as Answer;
      const flags = RECURSION_AVAILABLE | (isValidated ? AUTHENTIC_DATA : 0);
      const answers = question?.type === 'CDS' ? [cds] : [];
      socket.send(encode({ type: 'response', id, flags, questions, answers }), from.port, from.address);
    });
  });
  afterEach(() => socket.close());

  const signals = (...nameservers: readonly string[]) =>
    new NetworkChildZones([], [{ address: '127.0.0.1', port: socket.address().port }]).signals(ZONE, nameservers);

  it('are asked of the resolver, and have CDS records if it has validated them', async () => {
    expect(await signals('ns1.operator.net')).toEqual([
      { nameserver: 'ns1.operator.net', signal: { cds: [SIGNER], cdnskeys: [] } },
    ]);
    expect(asked).toEqual([`${NAME} CDS`, `${NAME} CDNSKEY`]);
  });

  it('say nothing without validation', async () => {
    isValidated = false;

    expect(await signals('ns1.operator.net')).toEqual([{ nameserver: 'ns1.operator.net', signal: undefined }]);
  });

  it('are not used for nameservers within the zone, nor if they are too long', async () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.net`;

    expect((await signals(`ns1.${ZONE}`, ZONE, long)).map(({ signal }) => signal)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(asked).toEqual([]);
  });
});
