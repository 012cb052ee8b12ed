import {
  challengeOf,
  needsChallenge,
  nextVerification,
  verificationEnd,
} from '../../../../../src/domain/dns/zone-names/zone-ownership';

const CREATED = new Date('2026-03-01T00:00:00Z');
const after = (minutes: number) => new Date(CREATED.getTime() + minutes * 60_000);
const above = (accountId: string) => ({ id: 'dom_1', accountId, name: 'corp.example' });

describe('the proof that a name is an account’s', () => {
  it('is a TXT record below the name with the id of the zone', () => {
    expect(challengeOf('k8s.corp.example', 'dom_a1')).toEqual({
      name: '_namewright.k8s.corp.example',
      type: 'TXT',
      value: 'zone=zone_a1',
    });
  });

  it('is looked for within a minute at first, every six hours later, and for a week', () => {
    expect(nextVerification(CREATED, CREATED)).toEqual(after(1));
    expect(nextVerification(CREATED, after(60))).toEqual(after(75));
    expect(nextVerification(CREATED, after(3 * 1440))).toEqual(after(3 * 1440 + 360));
    expect(nextVerification(CREATED, after(7 * 1440 - 1))).toEqual(verificationEnd(CREATED));
    expect(nextVerification(CREATED, after(7 * 1440))).toBeNull();
    expect(verificationEnd(CREATED)).toEqual(after(7 * 1440));
  });

  it.each([
    ['alone, of an account that is trusted', { above: undefined, hasOthers: false }, true, false],
    ['alone, of an account that is not trusted', { above: undefined, hasOthers: false }, false, true],
    ['below another one of the account', { above: above('acc_1'), hasOthers: false }, false, false],
    ['below one of another account', { above: above('acc_2'), hasOthers: false }, true, true],
    ['at or above one of another account', { above: undefined, hasOthers: true }, true, true],
    ['between one of the account and another', { above: above('acc_1'), hasOthers: true }, true, true],
  ])('of a zone %s', (_case, neighbors, isTrusted, isNeeded) => {
    expect(needsChallenge(neighbors, 'acc_1', isTrusted)).toBe(isNeeded);
  });
});
