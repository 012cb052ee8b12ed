import { dsRecordOf, isSameDsRecord, matchesDsRecords } from '../../../../../src/domain/dns/delegation/ds-record';

/** RFC 4034 section 5.4. */
const KEY = {
  flags: 256,
  algorithm: 5,
  publicKey:
    'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
};

describe('DS records', () => {
  it('have, for the key of RFC 4034, the key tag and the SHA-256 digest of RFC 4509 section 2.3', () => {
    expect(dsRecordOf('dskey.example.com', KEY)).toEqual({
      keyTag: 60485,
      algorithm: 5,
      digestType: 2,
      digest: 'D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
      key: KEY,
    });
  });

  it('have a digest of 48 octets with SHA-384 (RFC 6605 section 2)', () => {
    expect(dsRecordOf('dskey.example.com', KEY, 4).digest).toMatch(/^[0-9A-F]{96}$/);
  });

  it('do not depend on the case of the zone name', () => {
    expect(dsRecordOf('DSKEY.Example.com.', KEY)).toEqual(dsRecordOf('dskey.example.com', KEY));
  });

  it('are the same whether or not their keys are known', () => {
    const { key: _key, ...known } = dsRecordOf('dskey.example.com', KEY);

    expect(isSameDsRecord(known, dsRecordOf('dskey.example.com', KEY))).toBe(true);
    expect(isSameDsRecord({ ...known, digestType: 4 }, known)).toBe(false);
  });

  it('match those of a registry that computes them from keys, with any digest type', () => {
    const wanted = dsRecordOf('dskey.example.com', KEY);
    const { key: _key, ...sha384 } = dsRecordOf('dskey.example.com', KEY, 4);
    const matches = (...present: readonly (typeof sha384)[]) =>
      matchesDsRecords('dskey.example.com', [wanted], present);

    expect(matches(wanted)).toBe(true);
    expect(matches(sha384)).toBe(true);
    expect(matches(wanted, sha384)).toBe(true);
  });

  it('do not match if one is missing, or if the registry has one of another key', () => {
    const wanted = dsRecordOf('dskey.example.com', KEY);
    const other = { ...wanted, keyTag: 1 };

    expect(matchesDsRecords('dskey.example.com', [wanted], [])).toBe(false);
    expect(matchesDsRecords('dskey.example.com', [wanted], [wanted, other])).toBe(false);
    expect(matchesDsRecords('dskey.example.com', [], [wanted])).toBe(false);
    expect(matchesDsRecords('dskey.example.com', [], [])).toBe(true);
  });
});
