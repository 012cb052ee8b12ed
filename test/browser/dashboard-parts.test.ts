import type { Browser } from 'playwright-core';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { aUser } from '../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';

describeOrSkip(CHROMIUM_MISSING)('dashboard page fragments in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let client: Api;
  let dashboard: DashboardBrowser;
  let serial = 0;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    browser = await startChromium();
    const accountId = await service.account();
    email = await aUser(service, accountId);
    client = api(service, await service.key(accountId));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  beforeEach(async () => {
    dashboard = await DashboardBrowser.open(browser, service);
  });
  afterEach(async () => {
    expect(await dashboard.close()).toEqual([]);
  });

  const freshName = () => `fragment-${(serial += 1)}.com`;

  it('keeps the page title when a fragment is loaded', async () => {
    const name = freshName();
    const id = await registered(client, name);
    const { page } = await dashboard.signIn(email);

    await dashboard.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();

    expect(await page.title()).toBe(`DNS records of ${name} · Namewright`);
  });

  it('moves the focus to a record that is edited in place, and keeps it when another fragment is loaded', async () => {
    const id = await registered(client, freshName());
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));

    await page.getByRole('link', { name: 'Edit A www' }).click();
    await page.locator('.editing [name=type]:focus').waitFor();
    await page.locator('.editing [name=content]').focus();
    await page.evaluate(async (url) => {
      await (
        globalThis as unknown as { htmx: { ajax: (method: string, url: string, how: object) => Promise<void> } }
      ).htmx.ajax('GET', url, { target: '#publication', select: '#publication', swap: 'outerHTML' });
    }, `/domains/${id}/publication`);

    expect(await focused()).toBe('content');
  });

  it('stays on a form that is being filled in if a fragment finds that the session has ended', async () => {
    const id = await registered(client, freshName());
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();
    await page.locator('#new-content').fill('192.0.2.7');
    await page.context().clearCookies();

    await page.evaluate(async (url) => {
      await (
        globalThis as unknown as { htmx: { ajax: (method: string, url: string, how: object) => Promise<void> } }
      ).htmx.ajax('GET', url, { target: '#publication', select: '#publication', swap: 'outerHTML' });
    }, `/domains/${id}/publication`);
    await page.locator('#new-name').fill('kept');
    await page.getByRole('button', { name: 'Add record', exact: true }).click();

    await page.getByText('Your entries are saved').waitFor();
  });

  it('distinguishes switches that are on and off in forced colors', async () => {
    const name = freshName();
    const id = await registered(client, name);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    const forced = await DashboardBrowser.open(browser, service, { forcedColors: 'active' });
    const { page } = await forced.signIn(email);
    const colors = (selector: string, pseudo?: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, part) => getComputedStyle(element, part).backgroundColor, pseudo);

    await forced.goTo(`/domains/${id}`);
    const [on, off] = [
      await colors('.toggle-switch[aria-checked=true] .track'),
      await colors('.toggle-switch[aria-checked=false] .track'),
    ];
    expect(on).not.toBe(off);
    for (const [state, track] of [
      ['true', on],
      ['false', off],
    ])
      expect(await colors(`.toggle-switch[aria-checked=${state}] .track`, '::after')).not.toBe(track);
    expect(await forced.close()).toEqual([]);
  });
});
