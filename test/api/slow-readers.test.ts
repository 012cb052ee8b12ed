import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { decode } from 'dns-packet';
import { SecondaryDirectory } from '../../src/application/ports/dns/publishing';
import type { TsigKey } from '../../src/domain/dns/secondaries/tsig-key';
import { onBothDatabases } from '../support/databases/databases';
import { isCompleteTransfer, requestFor, sendTcp, signRequest } from '../support/nameservers/primary-client';
import { api, registered, type Api } from '../support/service/service';

const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
/** More than the snapshots that all callers together may hold. */
const STALLED = 6;
/** An export of 6 MB, which no socket buffer on loopback holds. */
const LARGE_ZONE = Array.from(
  { length: 1_500 },
  (_, index) => `h${index} 60 TXT ${`"${'x'.repeat(250)}" `.repeat(16)}\n`,
).join('');

onBothDatabases(
  'clients that do not read their exports',
  (service) => {
    let other: Api;
    let otherZone: string;
    let otherId: string;
    const stalled: Socket[] = [];

    const stall = async (path: string, key: string): Promise<void> => {
      const { port } = service().server.address() as AddressInfo;
      const socket = connect({ port, host: '127.0.0.1' });
      stalled.push(socket);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      await once(socket, 'readable');
    };

    beforeAll(async () => {
      const key = await service().key(await service().account());
      const slow = api(service(), key);
      const id = await registered(slow, 'slow-reader.com');
      const zone = `/api/domains/${id}/dns/zonefile`;
      await slow.put(zone, LARGE_ZONE).set('Content-Type', 'text/dns').expect(200);
      other = api(service(), await service().key(await service().account()));
      otherZone = 'not-delayed.com';
      otherId = await registered(other, otherZone);
      const directory = service().container.get<SecondaryDirectory>(SecondaryDirectory);
      await directory.addKey(KEY, new Date());
      await directory.add({
        name: 'ns1',
        endpoint: { address: '127.0.0.1', port: 9 },
        keyName: KEY.name,
        signs: false,
        createdAt: new Date(),
      });
      await Promise.all(Array.from({ length: STALLED }, () => stall(zone, key)));
    });
    afterAll(() => {
      for (const socket of stalled) socket.destroy();
    });

    it("delay neither another account's writes nor its exports", async () => {
      await other
        .post(`/api/domains/${otherId}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' })
        .expect(201);

      const { text } = await other.get(`/api/domains/${otherId}/dns/zonefile`).expect(200);

      expect(text).toContain('192.0.2.1');
      expect(stalled.every(({ destroyed }) => !destroyed)).toBe(true);
    });

    it('do not delay zone transfers to secondaries', async () => {
      const { address, port } = service().dns ?? { address: '', port: 0 };
      const request = signRequest(requestFor({ type: 'AXFR', name: otherZone }), KEY);

      const messages = await sendTcp({ address, port }, request, isCompleteTransfer);

      expect(
        messages.flatMap((message) => decode(message).answers ?? []).filter(({ type }) => type === 'SOA'),
      ).toHaveLength(2);
      expect(stalled.every(({ destroyed }) => !destroyed)).toBe(true);
    });
  },
  { DNS_LISTEN: '127.0.0.1:0' },
);
