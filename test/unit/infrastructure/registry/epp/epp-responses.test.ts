import { parseXml } from '../../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { childOf } from '../../../../../src/infrastructure/registry/epp/codec/xml-element';
import { NAMESPACES } from '../../../../../src/infrastructure/registry/epp/codec/namespaces';
import { decimalOf, moneyOf } from '../../../../../src/infrastructure/registry/epp/mapping/amounts';
import { instantOf } from '../../../../../src/infrastructure/registry/epp/mapping/data-types';
import {
  availableNames,
  domainInfoOf,
  registryDomainOf,
} from '../../../../../src/infrastructure/registry/epp/mapping/domain-data';
import { feesOf } from '../../../../../src/infrastructure/registry/epp/mapping/fee';
import { servicesOf } from '../../../../../src/infrastructure/registry/epp/mapping/greeting';
import { domainNoticeOf } from '../../../../../src/infrastructure/registry/epp/mapping/poll-data';
import { responseOf } from '../../../../../src/infrastructure/registry/epp/mapping/response';
import {
  endsSession,
  isInconclusive,
  rejectionOf,
} from '../../../../../src/infrastructure/registry/epp/mapping/result-codes';
import { recordedExchanges } from '../../../../support/epp/epp-fixtures';
import { PERIODS } from '../../../../support/data/some-tlds';

const viewpoint = { clientId: 'leonet', periods: PERIODS, now: new Date('2027-05-01T00:00:00Z') };
const read = (text: string) => parseXml(Buffer.from(text));
const response = (inner: string) =>
  responseOf(read(`<epp xmlns="${NAMESPACES.epp}"><response>${inner}</response></epp>`));
const feeCheck = (cds: string) =>
  feesOf(
    childOf(
      read(`<extension><chkData xmlns="${NAMESPACES.fee}"><currency>USD</currency>${cds}</chkData></extension>`),
      NAMESPACES.fee,
      'chkData',
    ),
  );
const GREETING =
  `<epp xmlns="${NAMESPACES.epp}"><greeting><svID>A registry</svID><svDate>2026-01-01T00:00:00Z</svDate><svcMenu><version>1.0</version><lang>fr</lang><lang>en-GB</lang>` +
  `<objURI>urn:unheard-of</objURI><objURI>${NAMESPACES.host}</objURI><objURI>${NAMESPACES.domain}</objURI>` +
  `<svcExtension><extURI>${NAMESPACES.fee}</extURI><extURI>urn:unheard-of</extURI><extURI>${NAMESPACES.rgp}</extURI></svcExtension></svcMenu></greeting></epp>`;
const recorded = (title: string) => {
  const exchange = recordedExchanges().find((each) => each.title === title);
  if (!exchange) throw new Error(`no recording of ${title}`);
  return parseXml(exchange.response);
};
const domainIn = (statuses: string[], graceStatuses: string[] = [], told = '', updated = '') => {
  const infData =
    `<resData><infData xmlns="${NAMESPACES.domain}"><name>A.example</name><roid>1</roid>${statuses.map((s) => `<status s="${s}"/>`).join('')}` +
    '<clID>leonet</clID><crID>other</crID><crDate>2026-01-01T00:00:00Z</crDate>' +
    updated +
    '<exDate>2028-02-29T12:00:00.0Z</exDate></infData></resData>';
  const rgp = graceStatuses.map((s) => `<rgpStatus s="${s}">${told}</rgpStatus>`).join('');
  const extension = rgp && `<extension><infData xmlns="${NAMESPACES.rgp}">${rgp}</infData></extension>`;
  return registryDomainOf(
    domainInfoOf(response(`<result code="1000"><msg>ok</msg></result>${infData}${extension}`)),
    viewpoint,
  );
};

describe('parsing an EPP greeting', () => {
  it('returns the services that both sides support, in the order of the login', () => {
    expect(servicesOf(read(GREETING))).toEqual({
      objects: [NAMESPACES.domain, NAMESPACES.host],
      extensions: [NAMESPACES.rgp, NAMESPACES.fee],
      language: 'en-GB',
    });
  });

  it('rejects a document that is not a greeting', () => {
    expect(() => servicesOf(recorded('08-domain-create'))).toThrow('not an EPP 1.0 greeting');
  });
});

describe('parsing an EPP response', () => {
  it('returns the code of the first failure, and the reasons of all results', () => {
    const results =
      '<result code="1000"><msg>fine</msg></result><result code="2004"><msg>too\n  wide</msg><extValue><value><x/></value><reason>99 years</reason></extValue></result>';

    expect(response(results)).toMatchObject({
      code: 2004,
      reason: 'fine; too wide; 99 years',
      clTRID: undefined,
      svTRID: undefined,
    });
  });

  it.each(['', '<result code="abc"/>', '<result/>', '<result code="9999"/>', '<result code="1000.5"/>'])(
    'is refused with the result %j',
    (result) => {
      expect(() => response(result)).toThrow('response without a valid result code');
    },
  );

  it('rejects a greeting', () => {
    expect(() => responseOf(read(GREETING))).toThrow('not an EPP response');
  });

  it.each([
    [2104, 'credit'],
    [2201, 'not_held'],
    [2302, 'unavailable'],
    [2303, 'not_held'],
    [2304, 'status'],
    [2306, 'policy'],
    [2999, 'policy'],
  ])('maps result code %d to a rejection with reason %s', (code, reason) => {
    expect(rejectionOf({ code, reason: 'theirs' })).toMatchObject({
      code: 'REGISTRY_REJECTED',
      details: `theirs (${code})`,
      reason,
    });
  });

  it('treats exactly the inconclusive result codes as an unknown outcome', () => {
    expect([1000, 2002, 2200, 2201, 2302, 2400, 2500, 2501, 2502].filter(isInconclusive)).toEqual([
      2002, 2200, 2400, 2500, 2501, 2502,
    ]);
  });

  it('ends the session after exactly the session-ending result codes', () => {
    expect([1000, 1500, 2002, 2200, 2201, 2302, 2400, 2500, 2501, 2502].filter(endsSession)).toEqual([
      1500, 2002, 2200, 2500, 2501, 2502,
    ]);
  });
});

describe('mapping an info response to a domain', () => {
  it('maps a recorded response', () => {
    expect(registryDomainOf(domainInfoOf(responseOf(recorded('10-domain-info'))), viewpoint)).toEqual({
      name: expect.objectContaining({ value: 'life186978.test' }),
      phase: 'registered',
      sponsoredByUs: true,
      createdByUs: true,
      createdAt: new Date('2026-11-20T15:02:59.222Z'),
      expiresAt: new Date('2028-11-20T15:02:59.222Z'),
      nameservers: ['ns1.ex186978.net', 'ns2.ex186978.net'],
      transferLocked: false,
      transferPending: false,
    });
  });

  it('tells that a registry without renewals on command renews names by itself', () => {
    const info = domainInfoOf(responseOf(recorded('10-domain-info')));

    expect(registryDomainOf(info, { ...viewpoint, renewsByItself: true }).registrarRenews).toBe(true);
  });

  it.each([
    [['ok'], [], 'registered'],
    [['ok'], ['addPeriod'], 'registered'],
    [['ok'], ['renewPeriod', 'autoRenewPeriod'], 'auto_renew_grace'],
    [['pendingCreate'], [], 'pending_create'],
    [['pendingDelete'], ['redemptionPeriod'], 'redemption'],
    [['pendingDelete'], ['pendingRestore'], 'pending_restore'],
    [['pendingDelete'], ['pendingDelete'], 'pending_delete'],
    [['pendingDelete'], [], 'pending_delete'],
    [['pendingTransfer', 'inactive'], ['transferPeriod'], 'registered'],
  ])('maps the statuses %j and the grace statuses %j to the phase %s', (statuses, graceStatuses, phase) => {
    expect(domainIn(statuses, graceStatuses).phase).toBe(phase);
  });

  it('maps client and server locks to transferLocked, and pendingTransfer to transferPending', () => {
    expect(domainIn(['clientTransferProhibited'])).toMatchObject({
      transferLocked: true,
      transferPending: false,
      createdByUs: false,
    });
    expect(domainIn(['serverTransferProhibited']).transferLocked).toBe(true);
    expect(domainIn(['pendingTransfer'])).toMatchObject({ transferLocked: false, transferPending: true });
  });

  it('computes the end of auto-renew grace from the former expiry', () => {
    expect(domainIn(['ok'], ['autoRenewPeriod']).phaseEndsAt).toEqual(new Date('2027-04-14T12:00:00Z'));
  });

  it.each([
    [
      'when the registry says',
      'redemptionPeriod',
      'endDate=2027-05-09T10:00:00.0Z',
      '2027-04-20T00:00:00Z',
      '2027-05-09T10:00:00Z',
    ],
    ['a redemption after its deletion', 'redemptionPeriod', '', '2027-04-20T00:00:00Z', '2027-05-20T00:00:00Z'],
    ['at the end of all periods', 'pendingDelete', '', '2027-03-30T00:00:00Z', '2027-05-04T00:00:00Z'],
    ['at the end of the last period', 'pendingDelete', '', '2027-04-29T00:00:00Z', '2027-05-04T00:00:00Z'],
    [
      'an hour from now, where it should have left',
      'redemptionPeriod',
      '',
      '2027-01-01T00:00:00Z',
      '2027-05-01T01:00:00Z',
    ],
    ['an hour from now if the registry reports no date', 'pendingRestore', '', undefined, '2027-05-01T01:00:00Z'],
  ])('computes the end of a phase after a deletion %s', (_when, status, told, updatedAt, end) => {
    const updated = updatedAt === undefined ? '' : `<upDate>${updatedAt}</upDate>`;

    expect(domainIn(['pendingDelete'], [status], told, updated).phaseEndsAt).toEqual(new Date(end));
  });

  it('rejects a domain that we sponsor without its dates', () => {
    const answer = response(
      `<result code="1000"><msg>ok</msg></result><resData><infData xmlns="${NAMESPACES.domain}"><name>a.example</name><roid>1</roid><clID>leonet</clID></infData></resData>`,
    );

    expect(() => registryDomainOf(domainInfoOf(answer), viewpoint)).toThrow(
      'a domain that we sponsor without its dates',
    );
    expect(() => domainInfoOf(response('<result code="1000"><msg>ok</msg></result>'))).toThrow(
      'info response without a domain',
    );
  });

  it('reads availability from a check response', () => {
    expect([...availableNames(responseOf(recorded('13-domain-check-taken')))]).toEqual(['free186978.test']);
  });
});

describe('parsing poll messages', () => {
  it('reads the state of a transfer', () => {
    expect(domainNoticeOf(responseOf(recorded('115-poll')))).toEqual({
      kind: 'transfer',
      name: 'life187069.test',
      state: 'pending',
      gaining: 'nordregistrar',
      losing: 'leonet',
    });
  });

  it('reads a completed pending action, also from unhandled namespaces (RFC 9038)', () => {
    const panData = `<d:panData xmlns:d="${NAMESPACES.domain}"><d:name paResult="0">a.example</d:name></d:panData>`;
    const answer = response(
      `<result code="1301"><msg>ok</msg><extValue><value>${panData}</value><reason>not logged in</reason></extValue></result><msgQ count="1" id="7"><qDate>2026-01-01T00:00:00Z</qDate><msg>Done</msg></msgQ>`,
    );

    expect(domainNoticeOf(answer)).toEqual({ kind: 'completion', name: 'a.example', granted: false });
    expect(answer.message).toEqual({ id: '7', at: '2026-01-01T00:00:00Z', text: 'Done' });
  });
});

describe('parsing EPP dates', () => {
  it.each([
    ['2026-11-20T15:02:59.222Z', '2026-11-20T15:02:59.222Z'],
    ['1999-04-03T22:00:00.0Z', '1999-04-03T22:00:00.000Z'],
    ['1999-04-03T22:00:00', '1999-04-03T22:00:00.000Z'],
    ['2026-11-20T15:02:59.123456789Z', '2026-11-20T15:02:59.123Z'],
    ['2026-11-20T15:02:59+02:00', '2026-11-20T13:02:59.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ])('parses %s as %s', (text, instant) => {
    expect(instantOf(text).toISOString()).toBe(instant);
  });

  it.each([undefined, '', 'tomorrow', '2026-13-01T00:00:00Z', '20261120'])('rejects %j', (text) => {
    expect(() => instantOf(text)).toThrow('invalid date');
  });
});

describe('EPP amounts', () => {
  it.each([
    [{ minor: 1044, currency: 'USD' }, '10.44'],
    [{ minor: 5, currency: 'EUR' }, '0.05'],
    [{ minor: -250, currency: 'EUR' }, '-2.50'],
    [{ minor: 1200, currency: 'JPY' }, '1200'],
    [{ minor: 1, currency: 'KWD' }, '0.001'],
  ])('writes %j as %s and reads it back', (money, text) => {
    expect(decimalOf(money)).toBe(text);
    expect(moneyOf(text, money.currency)).toEqual(money);
  });

  it('rejects amounts that are not exact in the currency', () => {
    expect(moneyOf('10.5', 'USD')).toEqual({ minor: 1050, currency: 'USD' });
    expect(moneyOf('10.5000', 'USD')).toEqual({ minor: 1050, currency: 'USD' });
    expect(['10.005', 'ten', '', '1e3', '99999999999999999999'].map((text) => moneyOf(text, 'USD'))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(['', 'usd', 'US', 'DOLLAR', 'U$D', '__proto__'].map((currency) => moneyOf('10.50', currency))).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
  });
});

describe('parsing fees', () => {
  it('adds up fees and credits of a command', () => {
    const fees = feeCheck(
      '<cd><objID>A.example</objID><command name="create"><fee>10.00</fee><fee>0.18</fee><credit>-1.00</credit></command><command name="renew"><fee>12</fee></command></cd>',
    );

    expect(fees.get('a.example')).toEqual({
      create: { minor: 918, currency: 'USD' },
      renew: { minor: 1200, currency: 'USD' },
      restore: undefined,
    });
  });

  it('returns no fee for an unavailable name or an invalid amount', () => {
    expect(feeCheck('<cd avail="0"><objID>a.example</objID><reason>premium</reason></cd>').size).toBe(0);
    expect(
      feeCheck('<cd><objID>a.example</objID><command name="create"><fee>much</fee></command></cd>').get('a.example')
        ?.create,
    ).toBeUndefined();
  });
});
