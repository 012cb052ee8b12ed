import { NameTree } from '../../../../src/domain/dns/records/name-tree';

describe('the tree of the names of a zone', () => {
  const tree = new NameTree();
  for (const [name, type, records] of [
    ['@', 'MX', 2],
    ['www', 'A', 1],
    ['www', 'AAAA', 1],
    ['b.dev', 'A', 1],
    ['a.dev', 'A', 1],
  ] as const)
    tree.add({ name, type, records });

  it('puts each name below its parent, with the records of each by type, and counts names', () => {
    expect(tree.at('@')).toMatchObject({
      name: '@',
      sets: [{ type: 'MX', records: 2 }],
      names: 4,
      children: [
        { name: 'dev', sets: [], names: 2, children: [{ name: 'a.dev' }, { name: 'b.dev' }] },
        { name: 'www', sets: [{ type: 'A' }, { type: 'AAAA' }], names: 1, children: [] },
      ],
    });
  });

  it('begins at a name, and has nothing where the zone has nothing', () => {
    expect(tree.at('dev')).toMatchObject({ name: 'dev', names: 2 });
    expect(tree.at('b.dev')).toMatchObject({ names: 1, children: [] });
    expect(tree.at('absent.dev')).toBeUndefined();
  });
});
