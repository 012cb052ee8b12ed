import { ApiKey } from '../../../../src/domain/access/api-key';
import { addDays, addYears } from '../../../../src/domain/shared/time/calendar';
import { RandomKeys } from '../../../../src/infrastructure/system/random/random-keys';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const TOKEN = new RandomKeys('nw').next();
const issue = (expiresAt?: Date) =>
  ApiKey.issue(TOKEN, { accountId: 'acc_1', name: 'A key', scope: 'READ', expiresAt }, NOW);

describe('a key', () => {
  it('is due for rotation from 90 days on, as long as it opens', () => {
    const key = issue();

    expect(key.isDueForRotation(addDays(NOW, 89))).toBe(false);
    expect(key.isDueForRotation(addDays(NOW, 90))).toBe(true);
    key.revoke(addDays(NOW, 91));
    expect(key.isDueForRotation(addDays(NOW, 92))).toBe(false);
  });

  it('is followed by one that opens for as long as it was to itself', () => {
    expect(issue(addDays(NOW, 30)).rotatedKeyExpiry(addDays(NOW, 20))).toEqual(addDays(NOW, 50));
    expect(issue().rotatedKeyExpiry(addDays(NOW, 20))).toBeNull();
  });

  it('can expire exactly ten years ahead', () => {
    expect(issue(addYears(NOW, 10)).toState().expiresAt).toEqual(addYears(NOW, 10));
  });

  it('is followed after ten years by one of ten years, though these have a day less', () => {
    const issued = ApiKey.issue(
      TOKEN,
      { accountId: 'acc_1', name: 'A key', scope: 'READ', expiresAt: new Date('2036-02-01T00:00:00.000Z') },
      new Date('2026-02-01T00:00:00.000Z'),
    );
    const later = new Date('2028-03-01T00:00:00.000Z');

    expect(issued.rotatedKeyExpiry(later)).toEqual(addYears(later, 10));
  });

  it('does not authenticate after its expiry', () => {
    const key = issue(addDays(NOW, 30));

    expect(key.authenticates(TOKEN, new Date(addDays(NOW, 30).getTime() - 1))).toBe(true);
    expect(key.authenticates(TOKEN, addDays(NOW, 30))).toBe(false);
    expect(key.status(addDays(NOW, 30))).toBe('expired');
  });

  it('stays revoked since the first time', () => {
    const key = issue();

    key.revoke(addDays(NOW, 1));
    key.revoke(addDays(NOW, 2));

    expect(key.toState().revokedAt).toEqual(addDays(NOW, 1));
  });

  it.each([
    ['now', NOW],
    ['in the past', addDays(NOW, -1)],
    ['more than ten years ahead', new Date(addYears(NOW, 10).getTime() + 1)],
  ])('cannot expire %s', (_when, expiresAt) => {
    expect(() => issue(expiresAt)).toThrow('Request validation failed');
  });
});
