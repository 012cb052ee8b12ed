import { isAtOrBelow, relationOf } from '../../../../src/domain/shared/name-relation';

describe('the relation of two names', () => {
  it.each([
    ['example.com', 'example.com', 'same'],
    ['a.b.example.com', 'example.com', 'below'],
    ['com', 'example.com', 'above'],
    ['badexample.com', 'example.com', 'apart'],
    ['example.com.evil.net', 'example.com', 'apart'],
  ] as const)('of %s to %s is: %s', (name, other, relation) => {
    expect(relationOf(name, other)).toBe(relation);
    expect(isAtOrBelow(name, other)).toBe(relation === 'same' || relation === 'below');
  });
});
