import { KnownBrowsers } from '../../../../src/application/access/sign-in/known-browsers';
import { User } from '../../../../src/domain/access/people/user';

const NOW = new Date('2026-06-01T00:00:00Z');
const invited = (id: string) => User.invite({ id, accountId: 'acc_1', email: 'ada@example.com', role: 'owner' }, NOW);

describe('the browsers of a person', () => {
  const browsers = new KnownBrowsers(Buffer.alloc(32, 1));

  it('are known without a password, too, so that a passkey or a provider does not sign in with a new one each time', () => {
    const ada = invited('usr_1');
    const marks = [browsers.markOf(invited('usr_2')), browsers.markOf(ada)];

    expect(browsers.isKnown(ada, marks)).toBe(true);
    expect(browsers.isKnown(ada, marks.slice(0, 1))).toBe(false);
    ada.setPasswordHash('a hash', NOW);
    expect(browsers.isKnown(ada, marks)).toBe(false);
  });

  it('give no one without a password the limit of known browsers', () => {
    const ada = invited('usr_1');

    expect(browsers.knownPersonIds([ada], [browsers.markOf(ada)]).size).toBe(0);
  });
});
