import type { EppCommand } from '../../src/infrastructure/registry/epp/mapping/command';
import { commandDocument, epp, query, transform } from '../../src/infrastructure/registry/epp/mapping/command';
import { NAMESPACES } from '../../src/infrastructure/registry/epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, elementFactory } from '../../src/infrastructure/registry/epp/codec/xml-element';
import {
  checkDomains,
  createDomain,
  deleteDomain,
  infoDomain,
  renewDomain,
  reportRestore,
  requestRestore,
  updateDomain,
  type NewDomain,
} from '../../src/infrastructure/registry/epp/mapping/domain-commands';
import {
  availableNames,
  domainInfoOf,
  graceStatusesOf,
} from '../../src/infrastructure/registry/epp/mapping/domain-data';
import { feesOf } from '../../src/infrastructure/registry/epp/mapping/fee';
import { freshName } from '../../src/testing/registry-fixtures';
import { AUTH_CODE, aNewDomain, delegation, EppScenario } from '../support/epp/epp-scenario';

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

describe('a domain at the sandbox registry', () => {
  it('is created with what was asked, without a lock, and refused to whoever comes second', async () => {
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

  it.each<[string, Partial<NewDomain>, number]>([
    ['a host that is not there', { hosts: delegation('ns1.outside.example', 'ns9.outside.example') }, 2303],
    ['too few hosts', { hosts: delegation('ns1.outside.example') }, 2308],
    ['hosts as attributes', { hostMode: 'attribute' }, 2306],
    ['a contact that is not there', { registrant: 'NOBODY-1' }, 2303],
    ['another fee than ours', { price: USD(10_43) }, 2004],
    ['a fee in another currency', { price: { minor: 10_44, currency: 'EUR' } }, 2004],
    ['more than ten years', { years: 11 }, 2306],
    ['a premium name whose fee was not agreed', { name: 'gold.com' }, 2003],
    ['a reserved name', { name: 'example.com' }, 2302],
    ['a TLD that is not ours', { name: 'a.nowhere' }, 2306],
    ['a name that is none', { name: '-a.com' }, 2005],
  ])('is refused with %s', async (_, change, result) => {
    expect(await scene.code(createDomain(aNewDomain(change)))).toBe(result);
  });

  it.each(['', 'usd', 'DOLLAR'])('is refused with a fee in the currency "%s", which is none', async (currency) => {
    const document = commandDocument(createDomain(aNewDomain({ price: USD(10_44) })), 'no-currency').replace(
      '>USD<',
      `>${currency}<`,
    );
    scene.registry.exempt((frame) => frame === document);

    expect(await scene.first.sendDocument(document)).toContain('result code="2004"');
  });

  it('is renewed from the expiry quoted, once', async () => {
    const name = await scene.registered();
    const { expiresAt = new Date(0) } = await scene.info(name);

    expect(await scene.code(renewDomain(name, expiresAt, 2, USD(2 * 10_44)))).toBe(1000);

    expect((await scene.info(name)).expiresAt?.getUTCFullYear()).toBe(expiresAt.getUTCFullYear() + 2);
    expect(await scene.code(renewDomain(name, expiresAt, 2, undefined))).toBe(2306);
    expect(await scene.code(renewDomain(name, expiresAt, 1, undefined), scene.second)).toBe(2201);
  });

  it('changes its delegation by what is added and removed, and refuses what is so already', async () => {
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

  it('obeys the statuses that its sponsor sets, and takes none twice', async () => {
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

  it('keeps DS records, and refuses to add or remove one twice', async () => {
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

  it('is gone at once when deleted within the add grace period', async () => {
    const name = await scene.registered();

    expect(await scene.code(deleteDomain(name))).toBe(1000);

    expect(await scene.code(infoDomain(name))).toBe(2303);
    expect(await scene.code(deleteDomain(name))).toBe(2303);
  });

  it('goes into redemption when deleted later, and comes back with a request and its report only', async () => {
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

  it('falls back into redemption where the report on its restore does not come', async () => {
    const name = await scene.registered({ years: 5 });
    await scene.registry.server.advance(6);
    await scene.first.send(deleteDomain(name));
    await scene.first.send(requestRestore(name, undefined));

    await scene.registry.server.advance(8);

    expect([...(await scene.info(name)).graceStatuses]).toEqual(['redemptionPeriod']);
  });

  it('is shown to another registrar as far as who sponsors it, and whole with its auth code', async () => {
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

describe('a check at the sandbox registry', () => {
  const FEES = { currency: 'USD', create: 1, renew: 1, restore: true } as const;

  it('answers what is free, with the fees of all', async () => {
    const [taken, free] = [await scene.registered(), freshName().value];

    const answer = await scene.first.send(checkDomains([taken, free, 'coffee.shop'], FEES));

    expect([...availableNames(answer)]).toEqual([free, 'coffee.shop']);
    const fees = feesOf(childOf(answer.extension, FEE, 'chkData'));
    expect(fees.get(taken)).toEqual({ create: USD(10_44), renew: USD(10_44), restore: USD(80_00) });
    expect(fees.get('coffee.shop')?.create).toEqual(USD(1_250_00));
  });

  it('tells the fee of the whole term, which need not be a multiple of the fee of a year', async () => {
    const name = freshName('xyz').value;

    const answer = await scene.first.send(checkDomains([name], { currency: 'USD', create: 2, renew: 2 }));

    expect(feesOf(childOf(answer.extension, FEE, 'chkData')).get(name)).toEqual({
      create: USD(2_04 + 12_98),
      renew: USD(2 * 12_98),
      restore: undefined,
    });
  });

  it('has no fee for a name where a command is asked for a term that is not sold, and says which terms are', async () => {
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

  it('fails as a whole for one name that is none of ours', async () => {
    expect(await scene.code(checkDomains([freshName().value, 'a.nowhere'], undefined))).toBe(2005);
    expect(await scene.code(checkDomains([freshName().value], { ...FEES, currency: 'EUR' }))).toBe(2004);
  });
});
