import type { EppCommand } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import {
  commandDocument,
  epp,
  query,
  transform,
} from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import {
  childOf,
  childrenOf,
  tokenOf,
  elementFactory,
} from '../../../src/infrastructure/registry/epp/codec/xml-element';
import {
  checkDomains,
  createDomain,
  deleteDomain,
  infoDomain,
  renewDomain,
  reportRestore,
  requestRestore,
  updateDomain,
  type EppNewDomain,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import {
  availableNames,
  domainInfoOf,
  graceStatusesOf,
} from '../../../src/infrastructure/registry/epp/mapping/domain-data';
import { feesOf } from '../../../src/infrastructure/registry/epp/mapping/fee';
import { freshName } from '../../../src/testing/registry-fixtures';
import { AUTH_CODE, aNewDomain, delegation, EppScenario } from '../../support/epp/epp-scenario';

const { domain: DOMAIN, secDNS: SECDNS, fee: FEE } = NAMESPACES;
const domain = elementFactory(DOMAIN);
const secDNS = elementFactory(SECDNS);
const USD = (minor: number) => ({ minor, currency: 'USD' });

let scene: EppScenario;
beforeAll(async () => {
  scene = await EppScenario.open();
});
afterAll(() => scene.close());

function secure(name: string, change: 'add' | 'rem', ...digests: string[]): EppCommand {
  const ds = digests.map((digest) =>
    secDNS('dsData', [
      secDNS('keyTag', '12345'),
      secDNS('alg', '13'),
      secDNS('digestType', '2'),
      secDNS('digest', digest),
    ]),
  );
  return transform('secDNS:update', epp('update', domain('update', domain('name', name))), {
    extensions: [secDNS('update', secDNS(change, ds))],
  });
}

describe('domains at the sandbox EPP server', () => {
  it('are created with the requested data and without a lock, and a second create is rejected', async () => {
    const wanted = aNewDomain({ years: 2, price: USD(2 * 10_44) });

    const created = await scene.first.send(createDomain(wanted));
    const shown = await scene.info(wanted.name);

    expect(created.code).toBe(1000);
    expect(tokenOf(childOf(childOf(created.extension, FEE, 'creData'), FEE, 'fee'))).toBe('20.88');
    expect(shown).toMatchObject({
      name: wanted.name,
      sponsor: 'first-registrar',
      registrant: 'HOLDER-1',
      contacts: wanted.contacts,
    });
    expect(shown.delegation.map(({ host }) => host)).toEqual(['ns1.outside.example', 'ns2.outside.example']);
    expect([...shown.statuses]).toEqual(['ok']);
    expect([...shown.graceStatuses]).toEqual(['addPeriod']);
    expect(await scene.code(createDomain({ ...wanted, price: undefined }), scene.second)).toBe(2302);
  });

  it.each<[string, Partial<EppNewDomain>, number]>([
    ['a host that is not there', { hosts: delegation('ns1.outside.example', 'ns9.outside.example') }, 2303],
    ['too few hosts', { hosts: delegation('ns1.outside.example') }, 2308],
    ['hosts as attributes', { hostMode: 'attribute' }, 2306],
    ['an unknown contact', { registrant: 'UNKNOWN-1' }, 2303],
    ['another fee than ours', { price: USD(10_43) }, 2004],
    ['a fee in another currency', { price: { minor: 10_44, currency: 'EUR' } }, 2004],
    ['more than ten years', { years: 11 }, 2306],
    ['a premium name whose fee was not agreed', { name: 'gold.com' }, 2003],
    ['a reserved name', { name: 'example.com' }, 2302],
    ['a TLD that is not ours', { name: 'a.nowhere' }, 2306],
    ['a name that is none', { name: '-a.com' }, 2005],
  ])('are rejected with %s', async (_, change, result) => {
    expect(await scene.code(createDomain(aNewDomain(change)))).toBe(result);
  });

  it.each(['', 'usd', 'DOLLAR'])('are rejected with a fee in the invalid currency "%s"', async (currency) => {
    const document = commandDocument(createDomain(aNewDomain({ price: USD(10_44) })), 'no-currency').replace(
      '>USD<',
      `>${currency}<`,
    );
    scene.registry.exempt((frame) => frame === document);

    expect(await scene.first.sendDocument(document)).toContain('result code="2004"');
  });

  it('are renewed once from curExpDate', async () => {
    const name = await scene.registered();
    const { expiresAt = new Date(0) } = await scene.info(name);

    expect(await scene.code(renewDomain(name, expiresAt, 2, USD(2 * 10_44)))).toBe(1000);

    expect((await scene.info(name)).expiresAt?.getUTCFullYear()).toBe(expiresAt.getUTCFullYear() + 2);
    expect(await scene.code(renewDomain(name, expiresAt, 2, undefined))).toBe(2306);
    expect(await scene.code(renewDomain(name, expiresAt, 1, undefined), scene.second)).toBe(2201);
  });

  it('change nameservers by add and rem, and reject adding a present or removing an absent one', async () => {
    const name = await scene.registered();

    expect(
      await scene.code(
        updateDomain(
          name,
          { add: { hosts: delegation('ns3.outside.example') }, remove: { hosts: delegation('ns1.outside.example') } },
          'object',
        ),
      ),
    ).toBe(1000);

    expect((await scene.info(name)).delegation.map(({ host }) => host)).toEqual([
      'ns2.outside.example',
      'ns3.outside.example',
    ]);
    expect(await scene.code(updateDomain(name, { add: { hosts: delegation('ns3.outside.example') } }, 'object'))).toBe(
      2306,
    );
    expect(
      await scene.code(updateDomain(name, { remove: { hosts: delegation('ns1.outside.example') } }, 'object')),
    ).toBe(2306);
    expect(
      await scene.code(updateDomain(name, { remove: { hosts: delegation('ns2.outside.example') } }, 'object')),
    ).toBe(2308);
  });

  it('enforce client statuses, and reject setting one twice', async () => {
    const name = await scene.registered();
    const { expiresAt = new Date(0) } = await scene.info(name);
    const statuses = [
      'clientTransferProhibited',
      'clientRenewProhibited',
      'clientDeleteProhibited',
      'clientUpdateProhibited',
      'clientHold',
    ];

    expect(await scene.code(updateDomain(name, { add: { statuses } }, 'object'))).toBe(1000);

    expect([...(await scene.info(name)).statuses].toSorted()).toEqual(statuses.toSorted());
    expect(await scene.code(renewDomain(name, expiresAt, 1, undefined))).toBe(2304);
    expect(await scene.code(deleteDomain(name))).toBe(2304);
    expect(await scene.code(updateDomain(name, { remove: { statuses: ['clientHold'] } }, 'object'))).toBe(2304);
    expect(await scene.code(updateDomain(name, { remove: { statuses } }, 'object'))).toBe(1000);
    expect(await scene.code(updateDomain(name, { remove: { statuses: ['clientHold'] } }, 'object'))).toBe(2306);
    expect(await scene.code(updateDomain(name, { add: { statuses: ['serverHold'] } }, 'object'))).toBe(2306);
  });

  it('store DS records, and reject adding or removing one twice', async () => {
    const name = await scene.registered();
    const [one, two] = ['AB'.repeat(32), 'CD'.repeat(32)];

    expect(await scene.code(secure(name, 'add', one, two))).toBe(1000);
    expect(await scene.code(secure(name, 'rem', one))).toBe(1000);

    const { extension } = await scene.first.send(infoDomain(name));
    expect(
      childrenOf(childOf(extension, SECDNS, 'infData'), SECDNS, 'dsData').map((ds) =>
        tokenOf(childOf(ds, SECDNS, 'digest')),
      ),
    ).toEqual([two]);
    expect(await scene.code(secure(name, 'add', two))).toBe(2306);
    expect(await scene.code(secure(name, 'rem', one))).toBe(2306);
  });

  it('are deleted at once in the add grace period', async () => {
    const name = await scene.registered();

    expect(await scene.code(deleteDomain(name))).toBe(1000);

    expect(await scene.code(infoDomain(name))).toBe(2303);
    expect(await scene.code(deleteDomain(name))).toBe(2303);
  });

  it('enter redemption when deleted later, and are restored only with a request and its report', async () => {
    const name = await scene.registered({ years: 5 });
    await scene.registry.server.advance(6);

    expect(await scene.code(deleteDomain(name))).toBe(1001);

    expect([...(await scene.info(name)).graceStatuses]).toEqual(['redemptionPeriod']);
    expect(await scene.code(deleteDomain(name))).toBe(2304);
    expect(await scene.code(createDomain(aNewDomain({ name })), scene.second)).toBe(2302);
    const report = reportRestore(name, {
      before: 'before',
      after: 'after',
      deletedAt: new Date(0),
      restoredAt: new Date(0),
    });
    expect(await scene.code(report)).toBe(2304);
    expect(await scene.code(requestRestore(name, USD(1)))).toBe(2004);
    const requested = await scene.first.send(requestRestore(name, USD(80_00)));
    expect([...graceStatusesOf(requested.extension, 'upData')]).toEqual(['pendingRestore']);
    expect([...(await scene.info(name)).graceStatuses]).toEqual(['pendingRestore']);
    expect(await scene.code(report)).toBe(1000);
    expect([...(await scene.info(name)).graceStatuses]).toEqual([]);
  });

  it('return to redemption without a restore report', async () => {
    const name = await scene.registered({ years: 5 });
    await scene.registry.server.advance(6);
    await scene.first.send(deleteDomain(name));
    await scene.first.send(requestRestore(name, undefined));

    await scene.registry.server.advance(8);

    expect([...(await scene.info(name)).graceStatuses]).toEqual(['redemptionPeriod']);
  });

  it('show other registrars public data only, and all data with the auth code', async () => {
    const name = await scene.registered();
    const knowing = query(
      'domain:info',
      epp('info', domain('info', [domain('name', name), domain('authInfo', domain('pw', AUTH_CODE))])),
    );

    const seen = domainInfoOf(await scene.second.send(infoDomain(name)));

    expect(seen).toMatchObject({ sponsor: 'first-registrar', registrant: undefined, createdAt: undefined });
    expect(domainInfoOf(await scene.second.send(knowing))).toMatchObject({ registrant: 'HOLDER-1' });
  });
});

describe('checks at the sandbox EPP server', () => {
  const FEES = { currency: 'USD', create: 1, renew: 1, restore: true } as const;

  it('return availability and fees', async () => {
    const [taken, free] = [await scene.registered(), freshName().value];

    const answer = await scene.first.send(checkDomains([taken, free, 'coffee.shop'], FEES));

    expect([...availableNames(answer)]).toEqual([free, 'coffee.shop']);
    const fees = feesOf(childOf(answer.extension, FEE, 'chkData'));
    expect(fees.get(taken)).toEqual({ create: USD(10_44), renew: USD(10_44), restore: USD(80_00) });
    expect(fees.get('coffee.shop')?.create).toEqual(USD(1_250_00));
  });

  it('return the fee of the whole term, which need not be a multiple of one year', async () => {
    const name = freshName('xyz').value;

    const answer = await scene.first.send(checkDomains([name], { currency: 'USD', create: 2, renew: 2 }));

    expect(feesOf(childOf(answer.extension, FEE, 'chkData')).get(name)).toEqual({
      create: USD(2_04 + 12_98),
      renew: USD(2 * 12_98),
      restore: undefined,
    });
  });

  it('return no fee for an unsold term, with the terms that are sold', async () => {
    const name = freshName('ai').value;
    const cd = async (create: number) =>
      childOf(
        childOf(
          (await scene.first.send(checkDomains([name], { currency: 'USD', create, renew: 2 }))).extension,
          FEE,
          'chkData',
        ),
        FEE,
        'cd',
      );

    const [unsold, sold] = [await cd(1), await cd(2)];

    expect(unsold?.attributes.get('avail')).toBe('0');
    expect(tokenOf(childOf(childOf(unsold, FEE, 'command'), FEE, 'reason'))).toBe('Sold for 2 to 10 years at a time');
    expect(sold?.attributes.get('avail')).toBe('1');
  });

  it('fail for all names if one is under another TLD', async () => {
    expect(await scene.code(checkDomains([freshName().value, 'a.nowhere'], undefined))).toBe(2005);
    expect(await scene.code(checkDomains([freshName().value], { ...FEES, currency: 'EUR' }))).toBe(2004);
  });
});
