import { DomainName } from '../../../../../src/domain/shared/domain-name';
import { Nameservers } from '../../../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../../../src/domain/registration/registration-term';
import { REGISTRANT } from '../../../../../src/testing/registry-fixtures';
import { parseXml } from '../../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { feesOf, premiumNames } from '../../../../../src/infrastructure/registry/epp/mapping/fee';
import {
  feeDraftAmong,
  fromFeeDraft,
  toFeeDraft,
} from '../../../../../src/infrastructure/registry/epp/mapping/fee-drafts';
import { NAMESPACES } from '../../../../../src/infrastructure/registry/epp/codec/namespaces';
import { childOf } from '../../../../../src/infrastructure/registry/epp/codec/xml-element';
import { commandDocument } from '../../../../../src/infrastructure/registry/epp/mapping/commands/command';
import {
  checkDomains,
  renewDomain,
} from '../../../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { responseOf, type EppResponse } from '../../../../../src/infrastructure/registry/epp/mapping/response';
import { EppSchemas } from '../../../../support/epp/epp-schemas';
import { ALL_SERVICES, NO_FEES, recordedRegistry, type Answer } from '../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../support/epp/scripted-epp-server';
import { PERIODS } from '../../../../support/data/some-tlds';

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
  periods: PERIODS,
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

  it('find the fee of a renewal without that of a restore, from the registry alone', async () => {
    const renewal = answer({ commands: fee('renew', 1, '9.00') });
    const { registry: epp } = recordedRegistry([renewal, renewal, renewal], ALL_SERVICES, {
      tlds: [{ ...COM, years: { min: 1, max: 10 }, renewalYears: { min: 1, max: 10 } }],
    });

    expect(await epp.price(NAME)).toEqual({ renewal: eur(9_00) });
  });

  it('sell an available name without the fee of a restore, whose restore then has no price', async () => {
    const { registry: epp } = recordedRegistry(
      [answer({ available: true, commands: fee('create', 1, '12.00') + fee('renew', 1, '5.00') })],
      ALL_SERVICES,
      { tlds: [{ ...COM, years: { min: 1, max: 10 }, renewalYears: { min: 1, max: 10 } }] },
    );

    expect(await epp.check([NAME])).toEqual([
      { name: NAME, available: true, price: { registration: eur(12_00), renewal: eur(5_00) } },
    ]);
  });

  it('never take the list’s fee for a premium name: one that the registry does not tell is not agreed to', async () => {
    const silent = answer({ avail: '0', category: 'Premium' });
    const { registry: epp, sent } = registry(silent, silent, silent);

    await expect(epp.price(NAME)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    expect(sent).toEqual(['domain:check', 'domain:check', 'domain:check']);
  });

  it('never take the list’s fee for a premium name, also if the class is in the command as in drafts of RFC 8748', () => {
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
  it('quotes no restore whose price is not listed, and sends none for any price', async () => {
    const price = { registration: eur(5_00), renewal: eur(6_00) };
    const tlds = [{ ...COM, years: { min: 1, max: 10 }, renewalYears: { min: 1, max: 10 }, price }];
    const deleted = '31-info-after-delete';
    const { registry: epp, sent } = recordedRegistry([deleted, deleted], NO_FEES, { tlds });

    expect(await epp.price(NAME)).toEqual({ renewal: eur(6_00) });
    for (const amount of [0, 6_00])
      await expect(epp.restore(NAME, eur(amount), `op-${amount}`)).rejects.toMatchObject({ reason: 'price_changed' });
    expect(sent).toEqual(['domain:info', 'domain:info']);
  });

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

const period = (count: number) => `<period unit="y">${count}</period>`;
const object = (name: string) =>
  `<object><domain:name xmlns:domain="${NAMESPACES.domain}">${name}</domain:name></object>`;
const uri = (version: string) => `urn:ietf:params:xml:ns:fee-${version}`;

const ASKED = { currency: 'EUR', create: 1, renew: 2, restore: true } as const;
/** A `<cd>` for one command of a name. */
const single =
  (id: string) =>
  (name: string, command: string, rest: string, avail = '1') =>
    `<cd avail="${avail}">${id === 'object' ? object(name) : `<${id}>${name}</${id}>`}<currency>EUR</currency><command>${command}</command>${rest}</cd>`;
/** One for all commands of a name. */
const together = (id: (name: string) => string) =>
  `<currency>EUR</currency><cd>${id('one.com')}<command name="create">${period(1)}<fee>10.00</fee></command><command name="renew">${period(2)}<fee>22.00</fee></command></cd><cd>${id('two.com')}<command name="create">${period(1)}<fee>99.00</fee><class>premium</class></command></cd>`;
const apart = (cd: ReturnType<typeof single>) => [
  cd('one.com', 'create', `${period(1)}<fee>10.00</fee>`) +
    cd('two.com', 'create', `${period(1)}<fee>99.00</fee><class>premium</class>`),
  cd('one.com', 'renew', `${period(2)}<fee description="Renewal">30.00</fee><credit>-8.00</credit>`),
  cd('one.com', 'restore', `<fee>5.00</fee><reason>not deleted</reason>`, '0'),
];

const byDomain = ['name', 'domain', (id: string) => [apart(single(id)).join('')]] as const;
const likeRfc = ['objID', undefined, () => [together((name) => `<objID>${name}</objID>`)]] as const;

describe('drafts of RFC 8748', () => {
  it.each([
    ['0.23', ...likeRfc],
    ['0.21', ...likeRfc],
    ['0.12', 'object', undefined, () => [together(object)]],
    ['0.11', 'object', undefined, (id: string) => apart(single(id))],
    ['0.9', 'objID', 'object', byDomain[2]],
    ['0.8', ...byDomain],
    ['0.7', ...byDomain],
    ['0.6', ...byDomain],
    ['0.5', ...byDomain],
  ] as const)('are asked and read in their form: %s', async (version, id, element, answers) => {
    const draft = uri(version);
    const commands = toFeeDraft(checkDomains(['one.com', 'two.com'], ASKED), draft);
    const documents = commands.map((command) => commandDocument(command, 'op-1'));
    const responses = answers(id).map((chkData) =>
      responseOf(
        parseXml(
          Buffer.from(
            resultOf(1000, undefined, `<extension><chkData xmlns="${draft}">${chkData}</chkData></extension>`),
          ),
        ),
      ),
    );

    const { extension } = fromFeeDraft(responses as [EppResponse], draft);

    const chkData = childOf(extension, NAMESPACES.fee, 'chkData');
    expect(documents).toHaveLength(responses.length);
    expect(documents.join('')).not.toContain(NAMESPACES.fee);
    if (version === '0.11')
      expect(documents[1]).toContain(
        '<fee:command>renew</fee:command><fee:currency>EUR</fee:currency><fee:period unit="y">2</fee:period></fee:check>',
      );
    else if (element)
      expect(documents[0]).toContain(
        `<fee:${element}><fee:${id}>two.com</fee:${id}><fee:currency>EUR</fee:currency><fee:command>renew</fee:command><fee:period unit="y">2</fee:period></fee:${element}>`,
      );
    else expect(await schemas.faultsOf(documents.join('').replaceAll(draft, NAMESPACES.fee))).toEqual([]);
    expect(feesOf(chkData, ASKED).get('one.com')).toEqual({ create: eur(10_00), renew: eur(22_00) });
    expect(feesOf(chkData, ASKED).get('two.com')).toMatchObject({ create: eur(99_00) });
    expect([...premiumNames(chkData)]).toEqual(['two.com']);
  });

  it('are used the newest first, but one that needs several checks last, and none beside the RFC', () => {
    expect(feeDraftAmong([uri('0.5'), uri('0.11'), uri('0.12')])).toBe(uri('0.12'));
    expect(feeDraftAmong([uri('0.11'), uri('0.5')])).toBe(uri('0.5'));
    expect(feeDraftAmong([uri('0.4'), uri('0.11')])).toBe(uri('0.11'));
    expect(feeDraftAmong([uri('0.23'), NAMESPACES.fee])).toBeUndefined();
  });

  it('have the agreed fee of a command like the RFC', () => {
    const renewal = renewDomain('one.com', EXPIRY, 1, eur(9_00));

    expect(toFeeDraft(renewal, uri('0.11'))).toMatchObject([
      { extensions: [{ namespace: uri('0.11'), name: 'renew' }] },
    ]);
  });

  it('have the first failure of several responses to a check', () => {
    const [first, second] = [1000, 2400].map((code) => responseOf(parseXml(Buffer.from(resultOf(code)))));

    expect(fromFeeDraft([first!, second!], uri('0.11')).code).toBe(2400);
  });
});

describe('a registry that charges in another currency than this service', () => {
  const inDollars = answer({
    available: true,
    commands: fee('create', 1, '10.00') + fee('renew', 1, '10.00') + RESTORE,
  }).replace('<currency>EUR', '<currency>USD');
  const message = { code: 'REGISTRY_UNAVAILABLE', details: 'The registry charges in USD, and CURRENCY is EUR' };

  it.each<[string, readonly string[]]>([
    ['if it refuses the check in ours', [resultOf(2004), inDollars]],
    ['if it responds in its currency', [inDollars]],
  ])('is an error that names both, instead of a name that is not available, %s', async (_what, answers) => {
    const { registry: epp } = registry(...answers);

    await expect(epp.check([NAME])).rejects.toMatchObject(message);
  });

  it('is an error that names both for the prices of a registered name and of a transfer', async () => {
    for (const ask of ['price', 'transferPrice'] as const) {
      const { registry: epp } = registry(resultOf(2004), inDollars);
      await expect(epp[ask](NAME)).rejects.toMatchObject(message);
    }
  });
});
