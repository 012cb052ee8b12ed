import { addDays, formatDay } from '../../../src/domain/shared/time/calendar';
import { formatDate, formatDateTime } from '../../../src/domain/shared/time/date-text';
import { dateIn } from '../../../src/infrastructure/registry/epp/mapping/data-types';
import { aUser, DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, registered, startService, type TestService } from '../../support/service/service';

/** The first time of a page that is in its main part, with its text and title. */
const TIME = /<main[\s\S]*?<time datetime="([^"]+)" title="([^"]+)">([^<]+)<\/time>/;

const timeOn = async (client: DashboardClient, path: string) => {
  const { text } = await client.get(path).expect(200);
  const [, instant = '', title, shown] = TIME.exec(text.replace(/<p class="sandbox-bar">[\s\S]*?<\/p>/, '')) ?? [];
  return { at: new Date(instant), title, shown, inUtc: (text.match(/\d\d:\d\d UTC/g) ?? []).length };
};

const showsActivity = async (client: DashboardClient, from: string, to: string) => {
  const query = `from=${from}&to=${to}`;
  const [page, csv] = [await client.get(`/activity?${query}`), await client.get(`/activity.csv?${query}`)];
  return [page.text.includes('clock.com'), csv.text.includes('clock.com')];
};

describe('the time zone of a person', () => {
  let service: TestService;
  let id: string;
  let local: DashboardClient;
  let other: DashboardClient;

  beforeAll(async () => {
    service = await startService();
    const accountId = await service.account();
    id = await registered(api(service, await service.key(accountId)), 'clock.com');
    const signedIn = async () => new DashboardClient(service).signIn(await aUser(service, accountId));
    [local, other] = [await signedIn(), await signedIn()];
    await local.get('/settings/notices').expect(/Time zone of mails and pages/);
    await local.post('/settings/notices', { time_zone: 'Asia/Tokyo' }).expect(303);
  });
  afterAll(() => service.stop());

  it.each(['/activity', '/settings', '/domains/ID/operations', '/domains/ID/history'])(
    'is that of the hours on %s, which another person sees in UTC',
    async (page) => {
      const path = page.replace('ID', id);
      const mine = await timeOn(local, path);
      expect(mine.shown).toBe(formatDateTime(mine.at, 'Asia/Tokyo'));
      expect(mine.shown).toMatch(/, \d\d:\d\d GMT\+9$/);
      expect(mine.title).toBe(`${mine.shown} (${mine.at.toISOString()})`);
      expect(mine.inUtc).toBe(0);

      const theirs = await timeOn(other, path);
      expect(theirs).toMatchObject({
        title: theirs.at.toISOString(),
        shown: formatDateTime(theirs.at, 'UTC'),
      });
    },
  );

  it('is that of the day on which a key was created', async () => {
    const mine = await timeOn(local, '/api-keys');
    expect(mine.shown).toBe(formatDate(mine.at, 'Asia/Tokyo'));
    expect(mine.title).toContain('GMT+9');
    const theirs = await timeOn(other, '/api-keys');
    expect(theirs).toMatchObject({ shown: formatDate(theirs.at), title: theirs.at.toISOString() });
  });

  it('is that of the days of the activity list and of its CSV', async () => {
    const { at } = await timeOn(local, '/activity');
    const [inTokyo, inUtc] = [dateIn(at, 'Asia/Tokyo'), dateIn(at, 'UTC')];
    const nextDay = formatDay(addDays(new Date(`${inTokyo}T00:00:00Z`), 1));

    expect(await showsActivity(local, inTokyo, inTokyo)).toEqual([true, true]);
    expect(await showsActivity(local, nextDay, nextDay)).toEqual([false, false]);
    expect(await showsActivity(other, inUtc, inUtc)).toEqual([true, true]);
  });

  it('is not that of an expiry, which is a day in UTC', async () => {
    const expiry = await timeOn(local, '/domains');
    expect(expiry.shown).toBe(formatDate(expiry.at));
  });
});
