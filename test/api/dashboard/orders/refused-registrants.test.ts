import { registrantRefused } from '../../../../src/application/audit/operation-audit';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { SERVICE } from '../../../../src/domain/access/actor';
import { Operation } from '../../../../src/domain/registration/operations/operation';
import { signIn } from '../../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../../support/databases/databases';
import { api, REGISTRANT, registered } from '../../../support/service/service';

const REASON = 'No such person & company';
const PRICE = { minor: 10_44, currency: 'USD' };

onBothDatabases('a registration whose registrant the registry did not take', (service) => {
  it('is a warning of the operation, on its page and under “Needs attention” until the registrant is changed', async () => {
    const accountId = await service().account();
    const client = api(service(), await service().key(accountId));
    const dashboard = await signIn(service(), accountId);
    const name = `registrant-${accountId.slice(-8)}.com`;
    const id = await registered(client, name);
    const operationId = `op_registrant${accountId.slice(-8)}`;
    const request = { kind: 'register', years: 1, price: PRICE } as const;
    await service()
      .container.get(UnitOfWork)
      .run(async ({ domains, operations, audit }) => {
        const domain = await domains.lockAny(id);
        const now = new Date();
        const operation = Operation.queue({ id: operationId, accountId, domainId: id, actor: SERVICE, request }, now);
        operation.markRegistrantRefused(REASON, now);
        operation.succeed(now);
        await operations.add(operation);
        const fact = domain && registrantRefused({ at: now, operation, after: domain.toState() });
        if (fact) await audit.append(fact);
      });

    const shown = await client.get(`/api/operations/${operationId}`).expect(200);
    const overview = await dashboard.get('/').expect(200);
    const list = await dashboard.get(`/domains/${id}/operations`).expect(200);

    expect(shown.body).toMatchObject({
      state: 'succeeded',
      warnings: [expect.stringContaining(`may have another one: ${REASON}. Set it again`)],
    });
    expect(overview.text).toMatch(
      new RegExp(
        `${name}</a> is registered, but the registry did not take its registrant and may have another one: No such person &amp; company\\.`,
      ),
    );
    expect(overview.text).toContain(`href="/domains/${id}/registrant"`);
    expect(list.text).toContain('Correct the registrant.');

    await client
      .put(`/api/domains/${id}/contacts`, { registrant: { ...REGISTRANT, last_name: 'Corrected' } })
      .expect(200);

    expect((await dashboard.get('/').expect(200)).text).not.toContain('did not take its registrant');
  });
});
