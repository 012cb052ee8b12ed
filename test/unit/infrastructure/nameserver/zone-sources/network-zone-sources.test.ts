import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { INTERFACE_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { NetworkZoneSources } from '../../../../../src/infrastructure/nameserver/zone-sources/network-zone-sources';

const TOO_MANY = { code: 'ZONE_SOURCE_FAILED', details: expect.stringContaining('Too many zones') as string };

describe('zones that nameservers keep open', () => {
  const connections: Socket[] = [];
  let silent: Server;

  beforeEach(async () => {
    silent = createServer((socket) => void connections.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  afterEach(() => silent.close());

  it('are six of an account and eight of all at a time, so that one account does not keep others from reading theirs', async () => {
    const sources = new NetworkZoneSources([{ address: '127.0.0.1', prefix: 32 }], INTERFACE_TYPES);
    const nameserver = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const read = (accountId: string) => sources.transfer({ zoneName: 'example.com', nameserver }, accountId);

    const ofOne = Promise.allSettled(Array.from({ length: 6 }, () => read('a')));
    await expect(read('a')).rejects.toMatchObject(TOO_MANY);
    const ofOthers = Promise.allSettled([read('b'), read('c')]);
    await expect(read('d')).rejects.toMatchObject(TOO_MANY);

    while (connections.length < 8) await once(silent, 'connection');
    for (const socket of connections) socket.destroy();
    for (const outcome of [...(await ofOne), ...(await ofOthers)])
      expect(outcome).not.toMatchObject({ reason: TOO_MANY });
  });
});
