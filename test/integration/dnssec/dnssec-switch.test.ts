import { describeOrSkip } from '../../support/describe-or-skip';
import { LoopbackInternet } from '../../support/dnssec/loopback-internet';
import { INTERNET_MISSING } from '../../support/dnssec/upper-zones';
import { replaceByTampered, transfer } from '../../support/dnssec/tampered-secondary';
import { BIND_MISSING, startBind } from '../../support/nameservers/bind';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { NSD_MISSING, startNsd } from '../../support/nameservers/nsd';
import { POWERDNS_MISSING } from '../../support/nameservers/powerdns';
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

    const addRecord = (name: string, content: string) =>
      internet.client
        .post(`/api/domains/${id}/dns/records?wait=published`, { type: 'A', name, content, ttl: 300 })
        .expect(201);

    it('validates answers from the root once DNSSEC is active, without any failure on the way', async () => {
      const watch = internet.resolver.watch(HOST);

      await internet.switchDnssec(id, true);
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

      await internet.switchDnssec(id, false);
      await internet.advance(HOUR_MS);
      const results = await watch.stopAt('NOERROR');

      expect(results).toEqual(['NOERROR AD', 'NOERROR']);
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
