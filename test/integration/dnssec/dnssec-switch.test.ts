import { FixDifference } from '../../../src/application/registrar/reconciliation/fix-difference';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { describeOrSkip } from '../../support/describe-or-skip';
import { LoopbackInternet } from '../../support/dnssec/loopback-internet';
import { INTERNET_MISSING, NAMESERVERS } from '../../support/dnssec/upper-zones';
import { replaceByTampered, transfer } from '../../support/dnssec/tampered-secondary';
import { BIND_MISSING, startBind } from '../../support/nameservers/bind';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { NSD_MISSING, startNsd } from '../../support/nameservers/nsd';
import { POWERDNS_MISSING } from '../../support/nameservers/powerdns';
import { registerAtRegistry } from '../../support/registries/register-at-registry';
import { registered } from '../../support/service/service';

const NAME = 'chain-of-trust.com';
const HOST = `www.${NAME}`;
const HOUR_MS = 3_600_000;

describeOrSkip(INTERNET_MISSING ?? POWERDNS_MISSING ?? BIND_MISSING ?? NSD_MISSING)(
  'DNSSEC with one switch, as unbound sees it',
  () => {
    let internet: LoopbackInternet;
    let id: string;
    let others: readonly Nameserver[] = [];

    beforeAll(async () => {
      internet = await LoopbackInternet.start(['knot', 'powerdns']);
      id = await registered(internet.client, NAME);
      const { admin, primary } = internet;
      others = await Promise.all([startBind(admin, 'bind', primary), startNsd(admin, 'nsd', { primary, zone: NAME })]);
      await addRecord('www', '192.0.2.7');
      await addRecord('*.wild', '192.0.2.8');
      await internet.resolver.resolveUntil(HOST, ({ answers }) => answers.length > 0);
    });
    afterAll(async () => {
      await Promise.all(others.map((each) => each.stop()));
      await internet?.stop();
    });

    const keyTags = async (path: string) =>
      (await internet.client.get(`${path}/dnssec`).expect(200)).body.keys.map(
        (key: { key_tag: number }) => key.key_tag,
      );
    const addRecord = (name: string, content: string) =>
      internet.client
        .post(`/api/domains/${id}/dns/records?wait=published`, { type: 'A', name, content, ttl: 300 })
        .expect(201);

    it('validates answers from the root once DNSSEC is active, without any failure on the way', async () => {
      const watch = internet.resolver.watch(HOST);

      await internet.switchDnssec(`/api/domains/${id}`, true);
      await internet.advance(HOUR_MS);
      const results = await watch.stopAt('NOERROR AD');

      expect(results).toEqual(['NOERROR', 'NOERROR AD']);
    });

    it('validates wildcards, and denials of names and types', async () => {
      const { resolver } = internet;

      expect(await resolver.resolve(`any.wild.${NAME}`)).toMatchObject({ rcode: 'NOERROR', ad: true });
      expect(await resolver.resolve(`missing.${NAME}`)).toMatchObject({ rcode: 'NXDOMAIN', ad: true });
      expect(await resolver.resolve(HOST, 'AAAA')).toMatchObject({ rcode: 'NOERROR', ad: true, answers: [] });
    });

    it('validates a new record as soon as it is published', async () => {
      await addRecord('new', '192.0.2.9');
      // The denial of another name proves that this one does not exist, for as long as it is cached (RFC 8198).
      await internet.resolver.flush();

      expect(await internet.resolver.resolve(`new.${NAME}`)).toMatchObject({
        rcode: 'NOERROR',
        ad: true,
        answers: [{ data: '192.0.2.9' }],
      });
    });

    it('has the same signatures at BIND and NSD', async () => {
      const { primary, secondaries } = internet;

      const expected = await transfer(NAME, primary, secondaries[0]);

      expect(expected.filter((line) => /\sRRSIG\s/.test(line)).length).toBeGreaterThan(10);
      for (const { plan } of others) {
        const lines = await transfer(NAME, { address: '127.0.0.1', port: plan.port });
        expect([plan.name, ...normalized(lines)]).toEqual([plan.name, ...normalized(expected)]);
      }
    });

    it.each([
      ['another address', (line: string) => line.replace('192.0.2.7', '192.0.2.66')],
      [
        'a changed signature',
        (line: string) =>
          /^www\S+\s.*RRSIG\s+A /.test(line) ? line.replace(/(?<=\. [A-Za-z0-9+/]{10})./, flipped) : line,
      ],
    ])('gets SERVFAIL from secondaries that serve %s', async (_, tamper) => {
      const { primary, secondaries, resolver } = internet;

      const restore = await replaceByTampered(NAME, { primary, secondaries }, tamper);

      await resolver.flush();
      expect(await resolver.resolve(HOST)).toMatchObject({ rcode: 'SERVFAIL', ad: false });
      expect(await resolver.resolve(`any.wild.${NAME}`)).toMatchObject({ rcode: 'NOERROR', ad: true });
      await restore();
      await resolver.resolveUntil(HOST, ({ ad }) => ad);
    });

    it('answers without validation after DNSSEC is switched off, without any failure on the way', async () => {
      const watch = internet.resolver.watch(HOST);

      await internet.switchDnssec(`/api/domains/${id}`, false);
      await internet.advance(HOUR_MS);
      const results = await watch.stopAt('NOERROR');

      expect(results).toEqual(['NOERROR AD', 'NOERROR']);
    });

    describe('of a zone that was signed while it was hosted', () => {
      const [name, host] = ['hosted-first.com', 'www.hosted-first.com'];
      let zone: string;
      let domain: string;
      let keyTag: number;

      beforeAll(async () => {
        const { admin, client, resolver, service } = internet;
        // It has one zone only.
        await admin('secondary', 'remove', 'nsd');
        await registerAtRegistry(service, name, NAMESERVERS);
        const { body } = await client.post('/api/zones', { name }).expect(201);
        [zone, domain] = [`/api/zones/${body.id}`, `/api/domains/${String(body.id).replace('zone_', 'dom_')}`];
        const record = { type: 'A', name: 'www', content: '192.0.2.7', ttl: 300 };
        await client.post(`${zone}/dns/records?wait=published`, record).expect(201);
        // The TLD follows the registry.
        await resolver.resolveUntil(host, ({ answers }) => answers.length > 0);
        await internet.switchDnssec(zone, true);
        [keyTag] = await keyTags(zone);
      });

      it('stays valid, with the same key, when the name is imported', async () => {
        const { account, resolver, service } = internet;
        await resolver.resolveUntil(host, ({ ad }) => ad);
        const watch = resolver.watch(host);

        expect(await service.container.get(FixDifference).adopt(DomainName.parse(name), account)).toBe(true);
        await internet.switchDnssec(domain, true);
        await internet.advance(HOUR_MS);
        await resolver.resolveUntil(host, ({ ad }) => ad);

        expect(await watch.stopAt('NOERROR AD')).toEqual(['NOERROR AD']);
        expect(await keyTags(domain)).toEqual([keyTag]);
      });

      it('is never bogus, and keeps its key, when the domain is deleted and registered again', async () => {
        const { client, resolver } = internet;
        const watch = resolver.watch(host);

        await client.delete(`${domain}?keep_zone=true`).expect(200);
        await resolver.resolveUntil(host, ({ rcode }) => rcode === 'NXDOMAIN');
        expect(await keyTags(zone)).toEqual([keyTag]);
        expect(await registered(client, name)).toBe(domain.split('/').at(-1));
        await internet.switchDnssec(domain, true);
        await resolver.resolveUntil(host, ({ ad, answers }) => ad && answers.length > 0);

        expect(await watch.stopAt('NOERROR AD')).not.toContain('SERVFAIL without answer');
        expect(await keyTags(domain)).toEqual([keyTag]);
      });
    });
  },
);

function flipped(character: string): string {
  return character === 'A' ? 'B' : 'A';
}

/** Nameservers keep their own order, and pad columns. */
function normalized(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/\s+/g, ' ').toLowerCase()).toSorted();
}
