import * as fc from 'fast-check';
import { aRecord } from '../../../support/data/a-record';
import { seeded } from '../../../support/seeded';
import { thrownBy } from '../../../support/thrown-by';

describe('IPv4 addresses', () => {
  it.each(['0.0.0.0', '10.0.0.1', '127.0.0.1', '255.255.255.255'])('accepts %s', (content) => {
    expect(aRecord({ content }).toState().content).toBe(content);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '1.2.3.4 ',
    '0x1.2.3.4',
    '1.2.3.4\u0000',
    '１.2.3.4',
    '::1',
  ])('refuses %j', (content) => {
    expect(thrownBy(() => aRecord({ content }))?.code).toBe('INVALID_RECORD_CONTENT');
  });
});

describe('IPv6 addresses', () => {
  it.each([
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::0:1', '2001:db8::1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['::192.0.2.1', '::c000:201'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ])('keeps %s as %s', (content, expected) => {
    expect(aRecord({ type: 'AAAA', content }).toState().content).toBe(expected);
  });

  it.each([
    '',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '12345::',
    'fe80::1%eth0',
    '::1/64',
    '[::1]',
    ' ::1',
    '::1\u0000',
    '192.0.2.1',
  ])('refuses %j', (content) => {
    expect(thrownBy(() => aRecord({ type: 'AAAA', content }))?.code).toBe('INVALID_RECORD_CONTENT');
  });

  it('keeps one form of every address, which has the same value', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    const address = fc.array(group, { minLength: 8, maxLength: 8 });

    fc.assert(
      fc.property(address, (groups) => {
        const content = groups.map((value) => value.toString(16).padStart(4, '0').toUpperCase()).join(':');

        const { content: kept } = aRecord({ type: 'AAAA', content }).toState();

        expect(valueOf(kept)).toEqual(groups);
        expect(aRecord({ type: 'AAAA', content: kept }).toState().content).toBe(kept);
      }),
      seeded(),
    );
  });
});

function valueOf(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}
