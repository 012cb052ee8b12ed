import type { Browser } from 'playwright-core';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { Person } from '../support/dashboard/dashboard-browser';
import { aPerson } from '../support/dashboard/visitor';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';

describeOrSkip(CHROMIUM_MISSING)('parts of a dashboard page, in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let client: Api;
  let person: Person;
  let serial = 0;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    browser = await startChromium();
    const accountId = await service.account();
    email = await aPerson(service, accountId);
    client = api(service, await service.key(accountId));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  beforeEach(async () => {
    person = await Person.at(browser, service);
  });
  afterEach(async () => {
    expect(await person.leave()).toEqual([]);
  });

  const freshName = () => `part-${(serial += 1)}.com`;

  it('keeps the title of a page when a part of it is loaded', async () => {
    const name = freshName();
    const id = await registered(client, name);
    const { page } = await person.signIn(email);

    await person.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();

    expect(await page.title()).toBe(`DNS records of ${name} · Namewright`);
  });

  it('moves the focus into a record that is edited in place, and leaves it there when another part is loaded', async () => {
    const id = await registered(client, freshName());
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const { page } = await person.signIn(email);
    await person.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));

    await page.getByRole('link', { name: 'Edit A www' }).click();
    await page.locator('.editing').waitFor();
    expect(await focused()).toBe('type');
    await page.locator('.editing [name=content]').focus();
    await page.evaluate(async (url) => {
      await (
        globalThis as unknown as { htmx: { ajax: (method: string, url: string, how: object) => Promise<void> } }
      ).htmx.ajax('GET', url, { target: '#publication', select: '#publication', swap: 'outerHTML' });
    }, `/domains/${id}/publication`);

    expect(await focused()).toBe('content');
  });

  it('tells a switch that is on from one that is off, and both keys of the legend, in forced colors', async () => {
    const name = freshName();
    const id = await registered(client, name);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    const forced = await Person.at(browser, service, { forcedColors: 'active' });
    const { page } = await forced.signIn(email);
    const colors = (selector: string, pseudo?: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, part) => getComputedStyle(element, part).backgroundColor, pseudo);

    await forced.goTo(`/domains/${id}`);
    const canvas = await colors('body');
    const [on, off] = [
      await colors('.switch[aria-checked=true] .track'),
      await colors('.switch[aria-checked=false] .track'),
    ];
    expect(on).not.toBe(off);
    for (const [state, track] of [
      ['true', on],
      ['false', off],
    ])
      expect(await colors(`.switch[aria-checked=${state}] .track`, '::after')).not.toBe(track);
    await client.post('/api/sandbox/advance', { days: 300 }).expect(200);
    await forced.goTo('/');
    expect(await colors('.key.renewing', '::before')).not.toBe(canvas);
    expect(await colors('.key.renewing', '::before')).not.toBe(await colors('.key.ending', '::before'));

    expect(await forced.leave()).toEqual([]);
  });
});
