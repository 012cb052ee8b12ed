import { announcedKeys, cdsRrsets } from '../../../../../src/domain/dns/dnssec/parent/cds-records';
import { ruleOf, type SigningStep } from '../../../../../src/domain/dns/dnssec/signing-step';
import { wireRdata } from '../../../../../src/domain/dns/records/types/record-types';

/** The key of RFC 6605, section 6.1. */
const KEY = {
  flags: 257,
  algorithm: 13,
  publicKey: 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
};
const CDS = '55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17';

describe('the CDS and CDNSKEY records of a zone', () => {
  const RETIRED = { id: 'old', retiredAt: new Date(0) };
  const [OLD, YOUNG] = [
    { id: 'old', retiredAt: null },
    { id: 'young', retiredAt: null },
  ];

  it.each([
    ['none', [OLD], []],
    ['first', [OLD], [OLD]],
    ['first', [OLD, YOUNG], [OLD]],
    ['keys', [OLD, YOUNG], [OLD, YOUNG]],
    ['first', [RETIRED, YOUNG], [YOUNG]],
    ['keys', [RETIRED, YOUNG], [YOUNG]],
    ['delete', [OLD, YOUNG], []],
  ] as const)(
    'with %s are of the oldest key, of all or of none, and never of a retired one',
    (content, keys, expected) => {
      expect(announcedKeys<(typeof keys)[number]>(content, keys)).toEqual(expected);
    },
  );

  it('have the digest with SHA-256, and the key itself', () => {
    expect(cdsRrsets('example.net', 'first', [KEY])).toMatchObject([
      { type: 59, rdata: [wireRdata('CDS', CDS)] },
      { type: 60, rdata: [wireRdata('CDNSKEY', `257 3 13 ${KEY.publicKey}`)] },
    ]);
  });

  it('are 0 0 0 00 and 0 3 0 AA== to ask the parent to remove the DS records', () => {
    expect(cdsRrsets('example.net', 'delete', [])).toMatchObject([
      { type: 59, rdata: [wireRdata('CDS', '0 0 0 00')] },
      { type: 60, rdata: [wireRdata('CDNSKEY', '0 3 0 AA==')] },
    ]);
  });

  it.each(['none', 'first', 'keys'] as const)('do not exist without a key, with %s', (content) => {
    expect(cdsRrsets('example.net', content, [])).toEqual([]);
  });
});

describe('the steps that publish CDS records', () => {
  it.each([
    // Not before every cache has the signed zone.
    ['sign', undefined],
    ['publish', undefined],
    ['wait_for_signed', undefined],
    ['add_ds', 'first'],
    // The new key is not announced before every cache has it.
    ['add_key', undefined],
    ['publish_key', undefined],
    ['wait_for_key', undefined],
    ['add_second_ds', 'keys'],
    ['replace_ds', 'first'],
    ['wait_for_new_ds', undefined],
    ['retire_key', undefined],
    ['remove_ds', 'delete'],
    ['wait_without_ds', undefined],
    ['unsign', undefined],
  ] as const)('are those that set the DS records: %s has %s', (step: SigningStep, cds) => {
    expect(ruleOf(step).cds).toBe(cds);
  });
});
