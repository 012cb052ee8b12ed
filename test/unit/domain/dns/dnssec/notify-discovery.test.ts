import {
  firstDsyncLookup,
  nextDsyncLookup,
  notifyTarget,
  type DsyncLookup,
} from '../../../../../src/domain/dns/dnssec/parent/notify-discovery';

/** All names that are looked up if every answer is negative. @param soaOwners of the answers, the last one repeated */
function lookups(child: string, ...soaOwners: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (let next: DsyncLookup | undefined = firstDsyncLookup(child); next && names.length < 10;) {
    names.push(next.name);
    next = nextDsyncLookup(child, next, soaOwners[Math.min(names.length, soaOwners.length) - 1] ?? '');
  }
  return names;
}

describe('the names at which DSYNC records of a parent are looked up (RFC 9859, section 4.1)', () => {
  it('have the label _dsync after the first label, and then no label before it', () => {
    expect(lookups('child.example', 'example')).toEqual(['child._dsync.example', '_dsync.example']);
  });

  it('follow the SOA record to a parent that is more than one label above', () => {
    expect(lookups('subsub.sub.child.example', 'example')).toEqual([
      'subsub._dsync.sub.child.example',
      'subsub.sub.child._dsync.example',
      '_dsync.example',
    ]);
    expect(lookups('a.b', '')).toEqual(['a._dsync.b', 'a.b._dsync', '_dsync']);
  });

  it('end at a top-level domain', () => {
    expect(lookups('example', '')).toEqual(['example._dsync', '_dsync']);
  });

  it('are those of the parent if _dsync is a zone itself', () => {
    expect(lookups('child.example', '_dsync.example')).toEqual(['child._dsync.example', '_dsync.example']);
    expect(lookups('a.child.example', 'example', '_dsync.example')).toEqual([
      'a._dsync.child.example',
      'a.child._dsync.example',
      '_dsync.example',
    ]);
  });

  it.each(['elsewhere.test', 'a.child.example', 'ample', '_dsync', 'x._dsync.child.example'])(
    'stay below the parent if an answer has the SOA record of %s',
    (soaOwner) => {
      const names = lookups('a.child.example', soaOwner);

      expect(names.length).toBeLessThanOrEqual(3);
      for (const name of names.slice(0, 2)) expect(name).toMatch(/(^|\.)_dsync(\.|$)/);
    },
  );

  it('are not longer than a name can be', () => {
    const label = 'x'.repeat(60);
    const child = [label, label, label, label, 'example'].join('.');

    expect(lookups(child, 'example')).toHaveLength(1);
  });

  it('are those of a child whose own name has the label', () => {
    expect(lookups('a._dsync.example', '_dsync.example').length).toBeLessThanOrEqual(3);
  });
});

describe('the target of notifications', () => {
  it.each([
    [['CDS NOTIFY 5359 scanner.example.net.'], { type: 'CDS', host: 'scanner.example.net', port: 5359 }],
    [['CSYNC NOTIFY 53 b.test.', 'CDS NOTIFY 53 a.test.'], { type: 'CDS', host: 'a.test', port: 53 }],
    [['CDS 0 53 a.test.'], undefined],
    [['CDS 128 53 a.test.'], undefined],
    [['CDS NOTIFY 0 a.test.'], undefined],
    [['CSYNC NOTIFY 53 a.test.'], undefined],
    [[], undefined],
  ])('of %j is %j', (records, expected) => {
    expect(notifyTarget(records, 'CDS')).toEqual(expected);
  });
});
