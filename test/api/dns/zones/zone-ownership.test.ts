import { ChangeAccountSettings } from '../../../../src/application/access/change-account-settings';
import { AskDelegation } from '../../../../src/application/hosting/ask-delegation';
import { ZoneVerifier } from '../../../../src/application/hosting/zone-verifier';
import { PublishedZones } from '../../../../src/application/ports/dns/publishing';
import { DomainReader } from '../../../../src/application/ports/registration/domain-repository';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { domainIdOfZone } from '../../../../src/domain/dns/zone-id';
import { port53Missing } from '../../../support/acme/port-53';
import { onBothDatabases } from '../../../support/databases/databases';
import { describeOrSkip } from '../../../support/describe-or-skip';
import { REFUSED, referral, SERVFAIL, StubInternet, texts } from '../../../support/nameservers/stub-internet';
import { runDueWork } from '../../../support/run-due-work';
import { api, registered, type Api } from '../../../support/service/service';

interface Zone {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly verification: { readonly name: string; readonly value: string } | null;
}

let count = 0;

function aName(tld = 'test'): string {
  return `owned-${(count += 1)}.${tld}`;
}

async function create(by: Api, name: string): Promise<Zone> {
  return (await by.post('/api/zones', { name }).expect(201)).body as Zone;
}

/** A zone whose parent delegates it to a nameserver for each answer. `parents` change what the parent's nameservers say. */
async function delegated(
  internet: StubInternet,
  by: Api,
  answers: readonly ('record' | 'none' | 'servfail' | 'silent')[],
) {
  const zone = await create(by, aName());
  const hosts = answers.map((_each, index) => `ns${index}.former.${zone.name}`);
  internet.zone('test', ['a.nic.test', 'b.nic.test']);
  const parent = (question: string) => (question === `${zone.name} NS` ? referral(zone.name, hosts) : {});
  const changes = [await internet.nameserver('a.nic.test', parent), await internet.nameserver('b.nic.test', parent)];
  const { name = '', value = '' } = zone.verification ?? {};
  const replies = {
    record: texts(name, 'other', value),
    none: {},
    servfail: { rcode: SERVFAIL },
    silent: undefined,
  };
  for (const [index, answer] of answers.entries())
    await internet.nameserver(hosts[index] ?? '', (question) =>
      question === `${name} TXT` ? replies[answer] : { rcode: REFUSED },
    );
  return { zone, parents: changes, hosts };
}

function verify(by: Api, { id }: Zone) {
  return by.post(`/api/zones/${id}/verify`);
}

function addChallenge(by: Api, above: Zone, { verification }: Zone) {
  const content = verification?.value;
  return by
    .post(`/api/zones/${above.id}/dns/records`, { type: 'TXT', name: `${verification?.name}.`, content })
    .expect(201);
}

const SETTINGS = { DNSSEC_RESOLVER: '127.0.0.1:1', ZONE_SOURCE_NETWORKS: '127.0.0.0/8' };

describeOrSkip(port53Missing())('The ownership of zones', () => {
  const settings: Record<string, string> = { ...SETTINGS };
  let internet: StubInternet;

  beforeAll(async () => {
    internet = await StubInternet.start();
    settings['DNSSEC_RESOLVER'] = internet.resolverAddress;
  });
  afterAll(() => internet.stop());

  onBothDatabases(
    'Zones of accounts that are not trusted',
    (service) => {
      const trust = (accountId: string, isTrusted: boolean) =>
        service().container.get(ChangeAccountSettings).execute({ accountId, actor: OPERATOR, settings: { isTrusted } });
      const client = async (isTrusted = false): Promise<Api> => {
        const accountId = await service().account();
        await trust(accountId, isTrusted);
        return api(service(), await service().key(accountId));
      };
      const isServed = async ({ name }: Zone) =>
        (await service().container.get(PublishedZones).find(name)) !== undefined;
      const refusal = async (by: Api, zone: Zone) => {
        const { body } = await verify(by, zone).expect(409);
        expect(body.error.code).toBe('ZONE_NOT_VERIFIED');
        expect(await isServed(zone)).toBe(false);
        return String(body.error.details);
      };

      it('are not served, block no other account and name the record that proves them', async () => {
        const [one, other] = [await client(), await client()];
        const zone = await create(one, aName());
        const rival = await create(other, zone.name);

        expect(zone).toMatchObject({
          status: 'unverified',
          verification: { name: `_namewright.${zone.name}`, type: 'TXT', value: `zone=${zone.id}` },
        });
        expect(rival.status).toBe('unverified');
        expect(await isServed(zone)).toBe(false);
        expect((await one.get(`/api/zones/by-name/${zone.name}`).expect(200)).body).toMatchObject({ id: zone.id });
        expect((await one.get('/api/zones?status=unverified').expect(200)).body).toMatchObject([{ id: zone.id }]);
        await one.post(`/api/zones/${zone.id}/dns/records`, { type: 'A', name: '@', content: '192.0.2.1' }).expect(201);
        const dnssec = await one.put(`/api/zones/${zone.id}/dnssec`, { enabled: true }).expect(409);
        expect(dnssec.body.error.code).toBe('ZONE_NOT_VERIFIED');
        await one.delete(`/api/zones/${zone.id}`).expect(200);
      });

      it('exist once in an account, however many requests create them at once', async () => {
        const by = await client();
        const name = aName();

        const responses = await Promise.all(Array.from({ length: 4 }, () => by.post('/api/zones', { name })));

        expect(
          responses.map(({ status }) => status === 201).toSorted((one, other) => Number(one) - Number(other)),
        ).toEqual([false, false, false, true]);
        expect((await by.get(`/api/zones?name=${name}`).expect(200)).body).toHaveLength(1);
      });

      it('are served once every nameserver that answers for the former zone shows the record', async () => {
        const by = await client();
        const { zone } = await delegated(internet, by, ['record', 'silent']);

        const { body } = await verify(by, zone).expect(200);

        expect(body).toMatchObject({ id: zone.id, status: 'active', verification: null });
        expect(await isServed(zone)).toBe(true);
        expect((await verify(by, zone).expect(200)).body).toMatchObject({ status: 'active' });
      });

      it.each([
        [['record', 'none'], 'no such record'],
        [['none', 'none'], 'no such record'],
        [['servfail', 'silent'], 'no authoritative answer'],
      ] as const)('stay unverified if the nameservers answer with %j', async (answers, found) => {
        const by = await client();
        const { zone, hosts } = await delegated(internet, by, answers);

        const details = await refusal(by, zone);

        expect(details).toContain(`_namewright.${zone.name} with the value zone=${zone.id} was not found`);
        expect(details).toContain(`${hosts.at(answers[0] === 'record' ? 1 : 0)}: ${found}`);
      });

      it('stay unverified if nameservers of the parent disagree or do not answer, or no resolver does', async () => {
        const by = await client();
        const { zone, parents } = await delegated(internet, by, ['record', 'record']);

        parents[0]?.((question) => (question.endsWith(' NS') ? referral(zone.name, ['ns.liar.test']) : {}));
        expect(await refusal(by, zone)).toContain('nameservers disagree: a.nic.test, b.nic.test');
        for (const change of parents) change(() => ({ rcode: SERVFAIL }));
        expect(await refusal(by, zone)).toContain('none of its parent’s nameservers answers');
        internet.resolverRcode = SERVFAIL;
        const details = await refusal(by, zone).finally(() => (internet.resolverRcode = 0));
        expect(details).toContain('cannot be found at the moment');
      });

      it('are verified at the nameservers of the parent if it does not delegate them', async () => {
        const by = await client();
        const zone = await create(by, aName());
        internet.zone('test', ['c.nic.test']);
        const { name = '', value = '' } = zone.verification ?? {};
        const change = await internet.nameserver('c.nic.test', () => ({}));

        expect(await refusal(by, zone)).toContain('c.nic.test: no such record');
        change((question) => (question === `${name} TXT` ? texts(name, value) : {}));
        await verify(by, zone).expect(200);
      });

      it('are verified in the background for a week, and say until when', async () => {
        const by = await client();
        const { zone } = await delegated(internet, by, ['record']);
        const late = await create(by, aName());
        const due = (id: string, createdAt: Date) =>
          service()
            .container.get(UnitOfWork)
            .run(async ({ domains }) => {
              const domain = await domains.lockAny(domainIdOfZone(id));
              if (!domain) throw new Error(`no zone ${id}`);
              domain.schedule(createdAt);
              await domains.save(domain);
            });
        for (const { id } of [zone, late]) await due(id, new Date(0));

        await runDueWork(service().container.get(ZoneVerifier));

        expect((await by.get(`/api/zones/${zone.id}`).expect(200)).body).toMatchObject({ status: 'active' });
        expect((await by.get(`/api/zones/${late.id}`).expect(200)).body).toMatchObject({ status: 'unverified' });
      });

      it.each([
        [['ns1.namewright.example', 'ns2.namewright.example'], 'ours'],
        [['ns.other.test', 'ns1.namewright.example'], 'partly'],
        [['ns.other.test'], 'elsewhere'],
        [[], 'none'],
      ])('whose parent names the nameservers %j are delegated: %s', async (hosts, state) => {
        const by = await client(true);
        const zone = await create(by, aName());
        internet.zone('test', ['d.nic.test']);
        const change = await internet.nameserver('d.nic.test', (question) =>
          question === `${zone.name} NS` && hosts.length > 0 ? referral(zone.name, hosts) : {},
        );
        const read = async () => (await by.get(`/api/zones/${zone.id}`).expect(200)).body.delegation;
        const [owned] = await service().container.get(DomainReader).zonesAmong([zone.name]);
        if (!owned) throw new Error(`no zone ${zone.name}`);
        const ask = () => service().container.get(AskDelegation).execute(owned);
        const published = async () => (await by.get(`/api/zones/${zone.id}/dns/status`).expect(200)).body.delegation;

        expect(await read()).toEqual({ state: 'unknown', nameservers: [], asked_at: null });
        expect(await published()).toMatchObject({ state: 'unknown', nameservers: [] });
        await ask();
        expect(await read()).toEqual({ state, nameservers: hosts, asked_at: expect.any(String) });
        expect(await published()).toMatchObject({ state, nameservers: hosts });
        expect((await by.get(`/api/zones?delegation=${state}`).expect(200)).body).toMatchObject([{ id: zone.id }]);

        change(() => ({ rcode: SERVFAIL }));
        await ask();
        expect(await read()).toMatchObject({ state: 'unknown', nameservers: hosts });
        expect((await by.get(`/api/zones?delegation=${state}`).expect(200)).body).toEqual([]);
        await by.get('/api/zones?delegation=any').expect(400);
        expect((await by.get('/api/zones?delegation=unknown').expect(200)).body).toMatchObject([{ id: zone.id }]);
      });

      it('have what the zone above delegates if that is here', async () => {
        const by = await client(true);
        const above = await create(by, aName());
        const zone = await create(by, `k8s.${above.name}`);

        await runDueWork(service().container.get(ZoneVerifier));

        expect((await by.get(`/api/zones/${zone.id}`).expect(200)).body).toMatchObject({
          delegation: { state: 'ours' },
        });
      });

      it('take over records of the account’s zone above when they are verified only if asked to', async () => {
        const accountId = await service().account();
        await trust(accountId, false);
        const by = api(service(), await service().key(accountId));
        const name = aName();
        const zone = await create(by, `k8s.${name}`);
        await trust(accountId, true);
        const above = await create(by, name);
        await by
          .post(`/api/zones/${above.id}/dns/records`, { type: 'TXT', name: 'a.k8s', content: 'text' })
          .expect(201);

        const { body } = await verify(by, zone).expect(409);
        const verified = await by.post(`/api/zones/${zone.id}/verify`, { move_records: true }).expect(200);

        expect(body.error).toMatchObject({ code: 'RECORD_CONFLICT', details: expect.stringContaining('a.k8s TXT') });
        expect(verified.body).toMatchObject({ status: 'active', records: 1 });
      });

      it('below a zone of another account need the record there, also of a trusted account', async () => {
        const [one, other, stranger] = [await client(true), await client(true), await client()];
        const above = await create(one, aName());
        const zone = await create(other, `k8s.${above.name}`);
        const rival = await create(stranger, zone.name);

        expect([above.status, zone.status]).toEqual(['active', 'unverified']);
        const details = await refusal(other, zone);
        expect(details).toContain('no such record');
        expect(details).not.toContain(above.id);
        await addChallenge(one, above, zone);
        await verify(other, zone).expect(200);
        const refused = await addChallenge(one, above, rival).then(() => verify(stranger, rival).expect(409));
        expect(refused.body.error).toMatchObject({ code: 'ZONE_EXISTS', details: 'Another account has it' });
      });

      it('above or at a zone of another account need the record, also of a trusted account', async () => {
        const [one, other] = [await client(true), await client(true)];
        const below = await create(one, `deep.k8s.${aName()}`);
        const name = below.name.slice('deep.k8s.'.length);

        expect(await create(other, name)).toMatchObject({ status: 'unverified' });
        expect(await create(other, below.name)).toMatchObject({ status: 'unverified' });
        expect(await create(one, `k8s.${name}`)).toMatchObject({ status: 'active' });
      });

      it('below a zone or domain of the account are served at once', async () => {
        const by = await client();
        const name = aName('com');
        await registered(by, name);

        expect(await create(by, `k8s.${name}`)).toMatchObject({ status: 'active' });
        expect(await create(by, `a.k8s.${name}`)).toMatchObject({ status: 'active' });
      });

      it('cannot have the name of a domain that another account has registered', async () => {
        const name = aName('com');
        await registered(await client(), name);

        const { body } = await (await client(true)).post('/api/zones', { name }).expect(409);

        expect(body.error).toMatchObject({ code: 'ZONE_EXISTS', details: 'Another account has it' });
      });
    },
    settings,
  );
});
