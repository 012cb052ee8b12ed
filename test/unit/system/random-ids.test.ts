import { RandomIds } from '../../../src/infrastructure/system/random-ids';

describe('ids', () => {
  it('are a prefix and a lower-case ULID', () => {
    expect(new RandomIds().next('dom')).toMatch(/^dom_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('are unique and ascend', () => {
    const ids = new RandomIds();
    const many = Array.from({ length: 5_000 }, () => ids.next('rec'));
    expect(many.toSorted()).toEqual(many);
    expect(new Set(many).size).toBe(many.length);
  });
});
