import { rightsOfGroups } from '../../../../src/domain/access/people/identity';
import type { UserRights } from '../../../../src/domain/access/people/role';

describe('the role by the groups of an identity provider', () => {
  const roles = new Map<string, UserRights>([
    ['admins', { role: 'owner', tags: null }],
    ['shop', { role: 'manager', tags: ['shop'] }],
    ['blog', { role: 'manager', tags: ['blog', 'shop'] }],
    ['managers', { role: 'manager', tags: null }],
    ['readers', { role: 'viewer', tags: null }],
  ]);

  it.each([
    ['none without a group that has one', ['others'], undefined],
    ['that of the group, with its tags', ['others', 'shop'], { role: 'manager', tags: ['shop'] }],
    ['for the tags of all groups that have it', ['shop', 'blog'], { role: 'manager', tags: ['blog', 'shop'] }],
    ['for all domains if one of them has no tags', ['shop', 'managers'], { role: 'manager', tags: null }],
    ['the most powerful, for its own tags only', ['readers', 'shop'], { role: 'manager', tags: ['shop'] }],
    ['owner before all', ['shop', 'admins', 'readers'], { role: 'owner', tags: null }],
  ])('is %s', (_rule, groups, expected) => {
    expect(rightsOfGroups(roles, groups)).toEqual(expected);
  });
});
