import { DomainName } from '../../../../../src/domain/registration/domain-name';
import { Nameservers } from '../../../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../../../src/domain/registration/registration-term';
import { REGISTRANT } from '../../../../../src/testing/registry-fixtures';
import { parseXml } from '../../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { premiumNames } from '../../../../../src/infrastructure/registry/epp/mapping/fee';
import { EppSchemas } from '../../../../support/epp/epp-schemas';
import { ALL_SERVICES, NO_FEES, recordedRegistry, type Answer } from '../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../support/epp/scripted-epp-server';

const NAME = DomainName.fromState('life187315.test');
const EXPIRY = new Date('2028-11-20T15:08:36.244Z');
const FEE = 'urn:ietf:params:xml:ns:epp:fee-1.0';
const eur = (minor: number) => ({ minor, currency: 'EUR' });
const years = (count: number) => RegistrationTerm.ofYears(count);
const fee = (command: string, term: number | undefined, amount: string) =>
  `<command name="${command}">${term === undefined ? '' : `<period unit="y">${term}</period>`}<fee>${amount}</fee></command>`;
const RESTORE = fee('restore', undefined, '40.00');
const COM = {
  suffix: 'test',
  nameservers: { min: 2, max: 13 },
  periods: {
    addGrace: 5,
    autoRenewGrace: 45,
    renewalGrace: 30,
    redemption: 30,
    pendingDelete: 5,
    transfer: 5,
    authCode: 14,
  },
};

function answer({ available = false, commands = '', category = '', avail = '1' }): string {
  const data = `<resData><chkData xmlns="urn:ietf:params:xml:ns:domain-1.0"><cd><name avail="${available}">${NAME.value}</name></cd></chkData></resData>`;
  const named = category === '' ? '' : `<class>${category}</class>`;
  return resultOf(
    1000,
    undefined,
    `${data}<extension><chkData xmlns="${FEE}"><currency>EUR</currency><cd avail="${avail}"><objID>${NAME.value}</objID>${named}${commands}</cd></chkData></extension>`,
  );
}

const charged = (element: 'creData' | 'renData', amount: string, currency = '<currency>EUR</currency>') =>
  resultOf(
    1000,
    undefined,
    `<extension><${element} xmlns="${FEE}">${currency}<fee>${amount}</fee></${element}></extension>`,
  );

const registry = (...answers: readonly Answer[]) => recordedRegistry(answers, ALL_SERVICES);
const asked = (documents: readonly string[]) =>
  documents.map((document) =>
    [
      ...document.matchAll(
        /<fee:command name="(\w+)">(?:<fee:period unit="y">(\d+))?|<fee:command name="(restore)"\/>/g,
      ),
    ].map(([, name, term, restore]) => `${restore ?? name}${term ?? ''}`),
  );

const schemas = new EppSchemas();
afterAll(() => schemas.close());

describe('fee requests of the EPP adapter', () => {
  it('contain the requested registration term and the shortest renewal term', async () => {
    const { registry: epp, documents } = registry(
      answer({ available: true, commands: fee('create', 2, '12.00') + fee('renew', 1, '5.00') + RESTORE }),
    );

    expect(await epp.check([NAME], years(2))).toEqual([
      { name: NAME, available: true, price: { registration: eur(12_00), renewal: eur(5_00), restore: eur(40_00) } },
    ]);
    expect(asked(documents)).toEqual([['create2', 'renew1', 'restore']]);
    for (const document of documents) expect(await schemas.faultsOf(document)).toEqual([]);
  });

  it('contain the shortest terms that the TLD sells if no term is requested', async () => {
    const tlds = [{ ...COM, years: { min: 2, max: 10 }, renewalYears: { min: 3, max: 10 } }];
    const { registry: epp, documents } = recordedRegistry(
      [answer({ available: true, commands: fee('create', 2, '12.00') + fee('renew', 3, '5.00') + RESTORE })],
      ALL_SERVICES,
      { tlds },
    );

    expect(await epp.check([NAME])).toMatchObject([{ price: { registration: eur(12_00), renewal: eur(5_00) } }]);
    expect(asked(documents)).toEqual([['create2', 'renew3', 'restore']]);
  });

  it('ignore fees of another term in the response', async () => {
    const { registry: epp } = recordedRegistry(
      [answer({ available: true, commands: fee('create', 1, '5.00') + fee('renew', 1, '5.00') + RESTORE })],
      ALL_SERVICES,
      { tlds: [{ ...COM, years: { min: 1, max: 10 }, renewalYears: { min: 1, max: 10 } }] },
    );

    expect(await epp.check([NAME], years(2))).toEqual([{ name: NAME, available: false }]);
  });

  it('omit the create fee for a registered name', async () => {
    const { registry: epp, documents } = registry(answer({ commands: fee('renew', 2, '9.00') + RESTORE }));

    expect(await epp.price(NAME, years(2))).toEqual({ renewal: eur(9_00), restore: eur(40_00) });
    expect(asked(documents)).toEqual([['renew2', 'restore']]);
  });

  it('request renew and restore one by one if the registry reports no fee for both', async () => {
    const { registry: epp, documents } = registry(
      answer({ avail: '0' }),
      answer({ commands: fee('renew', 1, '9.00') }),
      answer({ avail: '0' }),
    );

    expect(await epp.price(NAME)).toEqual({ renewal: eur(9_00), restore: eur(50_00) });
    expect(asked(documents)).toEqual([['renew1', 'restore'], ['renew1'], ['restore']]);
  });

  it('of a renewal are known without that of a restore, from the registry alone', async () => {
    const renewal = answer({ commands: fee('renew', 1, '9.00') });
    const { registry: epp } = recordedRegistry([renewal, renewal, renewal], ALL_SERVICES, {
      tlds: [{ ...COM, years: { min: 1, max: 10 }, renewalYears: { min: 1, max: 10 } }],
    });

    expect(await epp.price(NAME)).toEqual({ renewal: eur(9_00) });
  });

  it('of a premium name are never the list’s: one that the registry does not tell is not agreed to', async () => {
    const silent = answer({ avail: '0', category: 'Premium' });
    const { registry: epp, sent } = registry(silent, silent, silent);

    await expect(epp.price(NAME)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    expect(sent).toEqual(['domain:check', 'domain:check', 'domain:check']);
  });

  it('of a premium name are never the list’s, also if the class is in the command as in drafts of RFC 8748', () => {
    const commands = '<command name="create"><class>premium</class></command>';
    const data = `<chkData xmlns="${FEE}"><cd><objID>one.test</objID>${commands}</cd><cd><objID>two.test</objID></cd></chkData>`;

    expect(premiumNames(parseXml(Buffer.from(data)))).toEqual(new Set(['one.test']));
  });

  it('sell an available premium name only at the fee of the registry', async () => {
    const { registry: epp } = registry(
      answer({ available: true, category: 'Premium', commands: fee('create', 1, '500.00') + RESTORE }),
    );

    expect(await epp.check([NAME])).toEqual([{ name: NAME, available: false }]);
  });
});

describe('charged fees in EPP responses', () => {
  const info = '212-info';

  it.each([
    ['in the currency that it names', charged('creData', '10.00'), eur(10_00)],
    ['in the currency agreed where it names none', charged('creData', '10.00', ''), eur(10_00)],
    ['less than was agreed', charged('creData', '8.00'), eur(8_00)],
    ['unsaid', resultOf(1000), undefined],
  ])('are returned with a registered domain: %s', async (_, response, expected) => {
    const { registry: epp } = registry(resultOf(1000), response, resultOf(1000), info);

    const registered = await epp.register({
      name: NAME,
      term: years(2),
      registrant: REGISTRANT,
      nameservers: Nameservers.of(['ns1.ex187315.net', 'ns2.ex187315.net']),
      price: eur(10_00),
      transactionId: 'op-1',
    });

    expect(registered.charged).toEqual(expected);
  });

  it('are returned with a renewed domain', async () => {
    const { registry: epp } = registry(charged('renData', '9.00'), info);

    expect((await epp.renew(NAME, EXPIRY, years(2), 'op-1', eur(9_00))).charged).toEqual(eur(9_00));
  });
});

describe('the EPP adapter without the fee extension', () => {
  it('uses listed fees of whole terms, and rejects another price before it sends a command', async () => {
    const price = {
      registration: eur(5_00),
      renewal: eur(5_00),
      restore: eur(50_00),
      terms: { renewal: { 2: eur(12_00) } },
    };
    const tlds = [{ ...COM, years: { min: 1, max: 10 }, renewalYears: { min: 1, max: 10 }, price }];
    const { registry: epp, sent } = recordedRegistry(['16-renew', '29-hello-ext'], NO_FEES, { tlds });

    expect(await epp.price(NAME, years(2))).toEqual({ renewal: eur(12_00), restore: eur(50_00) });
    await expect(epp.renew(NAME, EXPIRY, years(2), 'op-1', eur(10_00))).rejects.toMatchObject({
      reason: 'price_changed',
    });
    expect(sent).toEqual([]);
    expect(await epp.renew(NAME, EXPIRY, years(2), 'op-2', eur(12_00))).toMatchObject({ sponsoredByUs: true });
  });
});
