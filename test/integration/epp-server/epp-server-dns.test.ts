import { decode, type DecodedPacket, type RecordType } from 'dns-packet';
import { dsRecordOf } from '../../../src/domain/dns/delegation/ds-record';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { createHost } from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import {
  deleteDomain,
  updateDomain,
  type DomainUpdate,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { updateDsRecords } from '../../../src/infrastructure/registry/epp/mapping/security';
import { delegation, EppScenario } from '../../support/epp/epp-scenario';
import { isCompleteTransfer, rcodeOf, requestFor, sendTcp, sendUdp } from '../../support/nameservers/primary-client';

const NXDOMAIN = 3;
const REFUSED = 5;

const isReferral = ({ authorities = [] }: DecodedPacket) => authorities.some(({ type }) => type === 'NS');
const isMissing = (response: DecodedPacket) => rcodeOf(response) === NXDOMAIN;

describe('DNS of the sandbox registry', () => {
  let scenario: EppScenario;
  let dns: Endpoint;

  beforeAll(async () => {
    scenario = await EppScenario.open();
    dns = await scenario.registry.server.listenDns({ address: '127.0.0.1', port: 0 });
  });
  afterAll(() => scenario.close());

  const query = async (name: string, type: RecordType = 'A'): Promise<DecodedPacket> =>
    decode((await sendUdp(dns, requestFor({ name, type }))) ?? Buffer.alloc(0));
  const queryUntil = async (name: string, type: RecordType, isExpected: (response: DecodedPacket) => boolean) => {
    for (;;) {
      const response = await query(name, type);
      if (isExpected(response)) return response;
    }
  };
  const update = async (name: string, change: DomainUpdate) =>
    expect(await scenario.code(updateDomain(name, change, 'object'))).toBe(1000);
  const transfer = async () => {
    const messages = await sendTcp(dns, requestFor({ name: 'com', type: 'AXFR' }), isCompleteTransfer);
    return messages.flatMap((message) => decode(message).answers ?? []);
  };
  const serialOf = async () =>
    ((await query('com', 'SOA')).answers ?? []).flatMap((soa) => (soa.type === 'SOA' ? [soa.data.serial ?? 0] : []));
  const delegated = async () => {
    const name = await scenario.registered();
    return { name, referral: await queryUntil(name, 'A', isReferral) };
  };

  it('refers to the nameservers of a registered name, and denies another name', async () => {
    const { name, referral } = await delegated();

    expect(referral).toMatchObject({ flag_aa: false, answers: [] });
    expect(referral.authorities).toMatchObject([
      { type: 'NS', name, data: 'ns1.outside.example' },
      { type: 'NS', name, data: 'ns2.outside.example' },
    ]);
    const denial = await query('not-registered.com');
    expect(denial).toMatchObject({ flag_aa: true, authorities: [{ type: 'SOA', name: 'com' }] });
    expect(rcodeOf(denial)).toBe(NXDOMAIN);
    expect(rcodeOf(await query('name.unknown-tld'))).toBe(REFUSED);
  });

  it('publishes glue for hosts below delegated names, and for no others', async () => {
    const { name } = await delegated();
    const hosts = [`ns1.${name}`, `ns2.${name}`];
    await scenario.code(createHost(hosts[0] ?? '', ['192.0.2.1', '2001:db8::1']));
    await scenario.code(createHost(hosts[1] ?? '', ['192.0.2.2']));
    await update(name, { add: { hosts: delegation(...hosts) } });

    const { additionals } = await queryUntil(`www.${name}`, 'A', ({ additionals: glue = [] }) => glue.length > 0);

    expect(additionals).toMatchObject([
      { type: 'A', name: hosts[0], data: '192.0.2.1' },
      { type: 'AAAA', name: hosts[0], data: '2001:db8::1' },
      { type: 'A', name: hosts[1], data: '192.0.2.2' },
    ]);
  });

  it('answers for DS records of the registry, with the authority of the parent', async () => {
    const { name } = await delegated();
    const signer = dsRecordOf(name, { flags: 257, algorithm: 13, publicKey: 'AQID' });
    expect(await query(name, 'DS')).toMatchObject({ flag_aa: true, answers: [], authorities: [{ type: 'SOA' }] });

    await scenario.code(updateDsRecords(name, { add: [signer], remove: [] }, 'ds'));

    const { answers } = await queryUntil(name, 'DS', ({ answers: found = [] }) => found.length > 0);
    expect(answers).toMatchObject([
      { data: { keyTag: signer.keyTag, algorithm: 13, digestType: 2, digest: Buffer.from(signer.digest, 'hex') } },
    ]);
    await scenario.code(updateDsRecords(name, { add: [], remove: 'all' }, 'ds'));
    await queryUntil(name, 'DS', ({ answers: found = [] }) => found.length === 0);
  });

  it('removes a name on hold, and publishes it again after the hold', async () => {
    const { name } = await delegated();

    await update(name, { add: { statuses: ['clientHold'] } });
    await queryUntil(name, 'A', isMissing);
    await update(name, { remove: { statuses: ['clientHold'] } });

    expect(await queryUntil(name, 'A', isReferral)).toBeDefined();
  });

  it('removes a name in redemption, on the clock of the registry', async () => {
    const { name } = await delegated();
    await scenario.registry.server.advance(30);
    await queryUntil(name, 'A', isReferral);

    expect(await scenario.code(deleteDomain(name))).toBe(1001);

    await queryUntil(name, 'A', isMissing);
  });

  it('transfers the zone to everyone, and raises the serial with each change only', async () => {
    const { name } = await delegated();
    const zone = await transfer();
    const [before = 0] = await serialOf();
    const [same = 0] = await serialOf();
    const another = await delegated();
    const [after = 0] = await serialOf();

    expect(zone.at(0)).toMatchObject({ type: 'SOA', name: 'com' });
    expect(zone).toContainEqual(expect.objectContaining({ type: 'A', name: 'nic.com', data: '127.0.0.1' }));
    expect(zone.filter((record) => record.name === name)).toHaveLength(2);
    expect(zone.filter((record) => record.name === another.name)).toEqual([]);
    expect(same).toBe(before);
    expect(after).toBeGreaterThan(before);
  });
});
