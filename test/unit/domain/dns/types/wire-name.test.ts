import { array, assert, integer, property } from 'fast-check';
import { endOfName, readName, writeName } from '../../../../../src/domain/dns/records/types/rdata/wire-name';
import { seeded } from '../../../../support/seeded';

/** Any octet but A to Z: DNS folds ASCII letters only (RFC 4343, section 3). */
const octet = integer({ min: 0, max: 255 }).filter((code) => code < 65 || code > 90);
const label = array(octet, { minLength: 1, maxLength: 20 });

describe('a domain name in a message', () => {
  it('is written as it was read, with dots, backslashes and any octets in its labels', () => {
    assert(
      property(array(label, { maxLength: 8 }), (labels) => {
        const wire = Buffer.from([...labels.flatMap((each) => [each.length, ...each]), 0]);

        expect(writeName(readName(wire, 0).name)).toEqual(wire);
      }),
      seeded(),
    );
  });

  it('is read in lower case of ASCII letters only', () => {
    expect(readName(Buffer.from('\x03WwW\x02\xc4\xd6\0', 'latin1'), 0).name).toBe('www.\\196\\214');
  });

  it('has an end that is found without reading it', () => {
    const names = Buffer.from('\x03www\x07example\0\x01a\xc0\x04\xc0\x00\x01b', 'latin1');

    for (const start of [0, 4, 13, 17]) expect(endOfName(names, start)).toBe(readName(names, start).end);
    expect(() => endOfName(names, 19)).toThrow(RangeError);
  });

  it('is written in lower case', () => {
    expect(writeName('WWW.Example')).toEqual(Buffer.from('\x03www\x07example\0'));
    expect(writeName('')).toEqual(Buffer.from([0]));
  });
});
