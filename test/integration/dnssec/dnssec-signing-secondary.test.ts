import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { DsRecord } from '../../../src/domain/dns/delegation/ds-record';
import { freshName } from '../../../src/testing/registry-fixtures';
import { describeOrSkip } from '../../support/describe-or-skip';
import { LoopbackInternet } from '../../support/dnssec/loopback-internet';
import { INTERNET_MISSING } from '../../support/dnssec/upper-zones';
import { replaceByTampered } from '../../support/dnssec/tampered-secondary';
import { missing, program } from '../../support/nameservers/nameserver';
import { registered } from '../../support/service/service';

const DAY_MS = 86_400_000;
const SHA_256 = 2;

describeOrSkip(INTERNET_MISSING ?? missing('keymgr'))('a zone that a secondary signs', () => {
  let internet: LoopbackInternet;
  let name: string;
  let host: string;

  beforeAll(async () => {
    internet = await LoopbackInternet.start(['signing knot']);
    name = freshName().value;
    host = `www.${name}`;
    const id = await registered(internet.client, name);
    await internet.client
      .post(`/api/domains/${id}/dns/records?wait=published`, { type: 'A', name: 'www', content: '192.0.2.7' })
      .expect(201);
  });
  afterAll(() => internet?.stop());

  const signerOfKnot = (): DsRecord => {
    const file = join(internet.secondaries[0]?.plan.folder ?? '', 'knot.conf');
    const lines = execFileSync(program('keymgr') ?? 'keymgr', ['-c', file, `${name}.`, 'ds'], { encoding: 'utf8' });
    const records = lines.split('\n').map((line) => line.split(' ').slice(2));
    const [keyTag, algorithm, , digest = ''] = records.find(([, , type]) => Number(type) === SHA_256) ?? [];
    return {
      keyTag: Number(keyTag),
      algorithm: Number(algorithm),
      digestType: SHA_256,
      digest: digest.toUpperCase(),
    };
  };

  it('is insecure without DS records at the registry', async () => {
    await internet.resolver.resolveUntil(host, ({ answers }) => answers.length > 0);

    expect(await internet.resolver.resolve(host)).toMatchObject({ rcode: 'NOERROR', ad: false });
  });

  it('has a chain of trust from the root with its DS record at the registry', async () => {
    await internet.setDsRecords(name, [signerOfKnot()]);

    const { answers } = await internet.resolver.resolveUntil(host, ({ ad }) => ad);
    const denial = await internet.resolver.resolve(`missing.${name}`);

    expect(answers).toMatchObject([{ data: '192.0.2.7' }]);
    expect(denial).toMatchObject({ rcode: 'NXDOMAIN', ad: true });
  });

  it('stays valid when all clocks advance', async () => {
    await internet.advance(2 * DAY_MS);

    expect(await internet.resolver.resolve(host)).toMatchObject({ rcode: 'NOERROR', ad: true });
  });

  it.each([
    ['another address', (line: string) => line.replace('192.0.2.7', '192.0.2.66')],
    [
      'a changed signature',
      (line: string) => (/^www\S+\s.*\sRRSIG\s+A /.test(line) ? line.replace(/(?<=\. \S{10})./, flipped) : line),
    ],
  ])('is bogus at a tampered secondary that serves %s', async (_, tamper) => {
    const { resolver, secondaries } = internet;
    const [knot] = secondaries;
    const primary = { address: knot?.plan.address ?? '', port: knot?.plan.port ?? 0 };

    const restore = await replaceByTampered(name, { primary, secondaries }, tamper);

    await resolver.resolveUntil(host, ({ rcode }) => rcode === 'SERVFAIL');
    expect(await resolver.resolve(`missing.${name}`)).toMatchObject({ rcode: 'NXDOMAIN', ad: true });
    await restore();
    await resolver.resolveUntil(host, ({ ad }) => ad);
  });

  it('is bogus with the DS record of another key, and insecure again without', async () => {
    const signer = signerOfKnot();
    await internet.setDsRecords(name, [{ ...signer, digest: signer.digest.replace(/./, flipped) }]);

    await internet.resolver.resolveUntil(host, ({ rcode }) => rcode === 'SERVFAIL');
    await internet.setDsRecords(name, []);

    await internet.resolver.resolveUntil(host, ({ rcode, ad }) => rcode === 'NOERROR' && !ad);
  });
});

function flipped(character: string): string {
  return character === 'A' ? 'B' : 'A';
}
