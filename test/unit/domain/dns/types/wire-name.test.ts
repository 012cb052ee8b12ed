import { array, assert, integer, property } from 'fast-check';
import { readName, writeName } from '../../../../../src/domain/dns/records/types/rdata/wire-name';
import { seeded } from '../../../../support/seeded';

/** Any octet that has no lower case. */
const octet = integer({ min: 0, max: 255 }).filter((code) => {
  const text = String.fromCharCode(code);
  return text === text.toLowerCase();
});
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

  it('is written in lower case', () => {
    expect(writeName('WWW.Example')).toEqual(Buffer.from('\x03www\x07example\0'));
    expect(writeName('')).toEqual(Buffer.from([0]));
  });
});
