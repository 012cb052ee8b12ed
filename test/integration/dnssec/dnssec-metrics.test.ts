import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { LifecycleClock } from '../../../src/application/ports/system';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered } from '../../support/service/service';

const DAY_S = 86_400;
const HOUR_MS = 3_600_000;

onBothDatabases(
  'the metrics of signed zones and of registries',
  (service) => {
    it('show the nearest end of signatures, steps in error that are not for the owner of a zone, and differences', async () => {
      const client = api(service(), await service().key(await service().account()));
      const id = await registered(client, 'measured-signatures.com');
      const unitOfWork = service().container.get(UnitOfWork);
      const now = service().container.get(LifecycleClock).now();
      await client.put(`/api/domains/${id}/dnssec`, { enabled: true }).expect(200);
      const waiting = await registered(client, 'waits-for-parent.com');
      const { body: hosted } = await client.post('/api/zones', { name: 'not-delegated.example' }).expect(201);
      const isSigned = () => unitOfWork.run(async ({ zoneSignings }) => (await zoneSignings.lock(id))?.isSigned);
      while (!(await isSigned())) await sleep(20);
      await unitOfWork.run(async ({ zoneSignings, reconciliations }) => {
        const signing = await zoneSignings.lock(id);
        const problem = { reason: 'the registry refuses the DS records', remedy: 'ask the registry' };
        const dueAt = new Date(now.getTime() + HOUR_MS);
        if (signing) await zoneSignings.save(ZoneSigning.fromState({ ...signing.toState(), problem, dueAt }));
        const notice = { outcome: 'no_receiver', receiver: null, error: null, sentAt: now } as const;
        const ofOwner = ZoneSigning.request(waiting, 'nsec', now).toState();
        await zoneSignings.add(
          ZoneSigning.fromState({ ...ofOwner, step: 'add_ds', serial: 3, problem, notice, dueAt }),
        );
        const domainId = String(hosted.id).replace(/^zone_/, 'dom_');
        await zoneSignings.add(
          ZoneSigning.fromState({ ...ZoneSigning.request(domainId, 'nsec', now).toState(), problem, dueAt }),
        );
        const comparison = { registry: 'verisign', finishedAt: now, compared: 7, listed: true, differences: 2 };
        await reconciliations.replace(comparison, []);
      });

      const { text } = await request(`http://${service().metrics}`).get('/metrics').expect(200);

      const [, end = ''] = /^namewright_dnssec_signature_end_timestamp_seconds (\S+)$/m.exec(text) ?? [];
      const days = (Number(end) - now.getTime() / 1_000) / DAY_S;
      expect(days).toBeGreaterThan(13.9);
      expect(days).toBeLessThan(14.1);
      expect(text).toMatch(/^namewright_dnssec_steps_failing 1$/m);
      expect(text).toMatch(/^namewright_reconciliation_differences\{registry="verisign"\} 2$/m);
    });
  },
  { METRICS_LISTEN: '0' },
);
