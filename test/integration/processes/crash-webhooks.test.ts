import { withEachDatabase } from '../../support/databases/each-database';
import { api, type Api } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import { Receiver, type ReceivedRequest } from '../../support/webhooks/receiver';

const KILLS = 2;
const CHANGES = 12;

withEachDatabase(
  'a service that is killed while a receiver has its request, before it has stored the answer',
  (databases) => {
    beforeAll(build);

    it('sends each event of a change that it has confirmed, and what it sends again with the same id', async () => {
      const location = await databases.create();
      const receiver = await Receiver.start();
      const start = () =>
        startProcess({
          PORT: '0',
          DATABASE_URL: location.kind === 'mysql' ? location.url : `sqlite:${location.file}`,
          SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
          RATE_LIMIT_PER_MINUTE: '0',
          DNS_LISTEN: 'off',
        });
      let service = start();
      const key = await firstKeyOf(service);
      const clientOf = async (each: ServiceProcess): Promise<Api> => api({ server: await addressOf(each) }, key);
      await (
        await clientOf(service)
      )
        .post('/api/webhooks', { url: receiver.url, types: ['template.created'] })
        .expect(201);
      const confirmed: string[] = [];
      const interrupted: ReceivedRequest[] = [];

      for (let kill = 0; kill < KILLS; kill += 1) {
        const client = await clientOf(service);
        receiver.answer = (_response, request) => {
          interrupted.push(request);
          service.signal('SIGKILL');
        };
        for (let change = 0; change < CHANGES; change += 1) {
          const name = `template ${kill}-${change}`;
          const written = await client
            .post('/api/record-templates', { name, records: '@ 300 IN TXT text' })
            .expect(201)
            .then(() => true)
            .catch(() => false);
          if (written) confirmed.push(name);
        }
        await service.ended;
        receiver.answers(204);
        service = start();
        for (const name of confirmed) await receiver.received(({ body }) => body.includes(`"${name}"`));
      }
      for (const { headers } of interrupted)
        await receiver.received(
          (request) => request.headers['webhook-id'] === headers['webhook-id'] && !interrupted.includes(request),
        );
      service.signal('SIGKILL');
      await service.ended;
      await receiver.stop();

      const bodies = new Map<string, Set<string>>();
      for (const { headers, body } of receiver.requests) {
        const id = headers['webhook-id'] ?? '';
        bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
      }
      const names = [...bodies.values()].map(
        ([body = '']) => (JSON.parse(body) as { data: { name: string } }).data.name,
      );
      expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(expect.arrayContaining(confirmed));
      expect(interrupted.length).toBeGreaterThanOrEqual(KILLS);
    });
  },
);
