import { RandomIds } from '../../../../../src/infrastructure/system/random/random-ids';

it('generates ids with a prefix and a lower-case ULID', () => {
  expect(new RandomIds().next('dom')).toMatch(/^dom_[0-9a-hjkmnp-tv-z]{26}$/);
});
