import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { actorText, SERVICE } from '../../../src/domain/access/actor';
import type { AuditEntry } from '../../../src/domain/access/audit-entry';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, REGISTRANT } from '../../support/service/service';

onBothDatabases('The audit log', (service) => {
  const reader = (): AuditReader => service().container.get<AuditReader>(AuditReader);
  const newestFirst = (accountId: string, filter = {}): Promise<readonly AuditEntry[]> =>
    reader().page(accountId, filter, 100);

  async function anAccount(name: string) {
    const accountId = await service().account();
    const key = await service().key(accountId);
    const call = api(service(), key);
    const actor = `key:${key.slice('nw_live_'.length, key.indexOf('.'))}`;
    return { accountId, call, actor, domainId: await registered(call, name) };
  }

  it('records the actor of each domain change and the values before and after', async () => {
    const { accountId, call, actor, domainId } = await anAccount('audited.com');

    await call.put(`/api/domains/${domainId}/autorenew`, { auto_renew: false });
    await call.put(`/api/domains/${domainId}/nameservers`, { nameservers: ['ns1.example.org', 'ns2.example.org'] });
    await call.put(`/api/domains/${domainId}/contacts`, { registrant: { ...REGISTRANT, email: 'new@example.com' } });
    await call.put(`/api/domains/${domainId}/transfer-lock`, { transfer_locked: false });
    const renewal = await call.post(`/api/domains/${domainId}/renew`, { years: 1 });

    const entries = (await newestFirst(accountId, { domainId })).toReversed();
    expect(entries.map(({ action }) => action)).toEqual([
      'domain.requested',
      'domain.registered',
      'domain.auto_renewal_changed',
      'domain.nameservers_changed',
      'domain.registrant_changed',
      'domain.transfer_lock_changed',
      'domain.renewed',
    ]);
    expect(new Set(entries.map((entry) => actorText(entry.actor)))).toEqual(new Set([actor]));
    expect(entries.every((entry) => entry.domain?.name === 'audited.com')).toBe(true);
    expect(entries[2]).toMatchObject({ before: { autoRenew: true }, after: { autoRenew: false } });
    expect(entries[3]?.after).toEqual({ nameservers: ['ns1.example.org', 'ns2.example.org'] });
    expect(entries[4]?.after).toMatchObject({ registrant: { email: 'new@example.com' } });
    expect(entries[6]?.after).toEqual({ expiresAt: renewal.body.expires_at });
  });

  it('records that an auth code was issued, without the code', async () => {
    const { accountId, call, domainId } = await anAccount('audited-code.com');

    const { body } = await call.post(`/api/domains/${domainId}/auth-code`);

    const [entry] = await newestFirst(accountId);
    expect(entry).toMatchObject({ action: 'domain.auth_code_issued', before: {}, after: {} });
    expect(JSON.stringify(await newestFirst(accountId))).not.toContain(body.auth_code);
  });

  it('shows changed DNS records as zone file lines', async () => {
    const { accountId, call, domainId } = await anAccount('audited-zone.com');
    const records = `/api/domains/${domainId}/dns/records`;

    const { body: record } = await call.post(records, { type: 'A', name: 'www', content: '192.0.2.1' });
    await call.put(`${records}/${record.id}`, { content: '192.0.2.2', ttl: 600 });
    await call.delete(`${records}/${record.id}`);

    const [removed, changed, added] = await newestFirst(accountId);
    expect(added).toMatchObject({ action: 'records.added', before: {}, after: { records: ['www 3600 A 192.0.2.1'] } });
    expect(changed).toMatchObject({
      action: 'records.changed',
      before: { records: ['www 3600 A 192.0.2.1'] },
      after: { records: ['www 600 A 192.0.2.2'] },
    });
    expect(removed).toMatchObject({
      action: 'records.removed',
      before: { records: ['www 600 A 192.0.2.2'] },
      after: {},
    });
  });

  it('records nothing for a rejected change', async () => {
    const { accountId, call, domainId } = await anAccount('audited-refusal.com');
    const before = await newestFirst(accountId);

    await call.post(`/api/domains/${domainId}/dns/records`, { type: 'CNAME', name: '@', content: 'example.org' });
    await call.put(`/api/domains/${domainId}/nameservers`, { nameservers: ['one.example.org'] });

    expect(await newestFirst(accountId)).toEqual(before);
  });

  it('is rolled back together with its change', async () => {
    const { accountId } = await anAccount('audited-rollback.com');
    const before = await newestFirst(accountId);
    const unitOfWork = service().container.get(UnitOfWork);

    const failing = unitOfWork.run(async ({ audit }) => {
      await audit.append({
        accountId,
        at: new Date(),
        actor: SERVICE,
        action: 'records.added',
        domain: null,
        subject: null,
        before: {},
        after: {},
      });
      throw new Error('after all');
    });

    await expect(failing).rejects.toThrow('after all');
    expect(await newestFirst(accountId)).toEqual(before);
  });

  it('is listed newest first, can be filtered by actor, and shows no other account', async () => {
    const { accountId, actor } = await anAccount('audited-pages.com');
    const other = await service().account();
    const all = await newestFirst(accountId);

    const pages: AuditEntry[] = [];
    for (let after: AuditEntry | undefined; ;) {
      const [entry] = await reader().page(accountId, {}, 1, after && { createdAt: after.at, id: after.id });
      if (!entry) break;
      pages.push(entry);
      after = entry;
    }

    expect(pages).toEqual(all);
    expect(all.map(({ at }) => at.getTime())).toEqual(all.map(({ at }) => at.getTime()).toSorted((a, b) => b - a));
    expect((await newestFirst(accountId, { actor })).map(({ action }) => action)).toEqual([
      'domain.registered',
      'domain.requested',
    ]);
    expect((await newestFirst(other)).map(({ action }) => action)).toEqual(['account.created']);
  });
});
