import type { Browser, Locator } from 'playwright-core';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { aUser } from '../support/dashboard/dashboard-client';
import { describeOrSkip } from '../support/describe-or-skip';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';

const PHONE = { width: 390, height: 844 };

/** Counts what a person does: a click, a choice, or a field that is filled in. */
class Interactions {
  count = 0;

  async do(act: (target: Locator) => Promise<unknown>, target: Locator): Promise<void> {
    await act(target);
    this.count += 1;
  }
}

describeOrSkip(CHROMIUM_MISSING)('journeys through the dashboard, counted in interactions', () => {
  let service: TestService;
  let browser: Browser;
  let client: Api;
  let accountId: string;
  let email: string;
  let shop: string;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0', RATE_LIMIT_PER_MINUTE: '0', DNS_LISTEN: '127.0.0.1:0' });
    browser = await startChromium();
    accountId = await service.account();
    email = await aUser(service, accountId);
    client = api(service, await service.key(accountId));
    shop = await registered(client, 'journey-shop.com');
    await registered(client, 'journey-blog.com');
    await client
      .post(`/api/domains/${shop}/dns/records`, { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 })
      .expect(201);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Without scripts on a phone, with scripts on a desk. */
  const LOOKS = [
    ['with scripts', { viewport: { width: 1_280, height: 800 } }],
    ['without scripts on a phone', { javaScriptEnabled: false, viewport: PHONE }],
  ] as const;

  it('search everything from the palette in one interaction, with a line when nothing matches', async () => {
    const dashboard = await DashboardBrowser.open(browser, service);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo('/settings');
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search everything' });
    for (const [text, option] of [
      ['journey-shop', 'journey-shop.com Domain'],
      ['mail.example.net', 'journey-shop.com: MX @ 10 mail.example.net Record'],
      [email, `${email} Person`],
      ['test key', /API key$/],
    ] as const) {
      const interactions = new Interactions();
      await interactions.do((field) => field.fill(text), search);
      await page.getByRole('option', { name: option }).first().waitFor();
      expect(interactions.count).toBe(1);
    }
    expect(await seriousFindings(page)).toEqual([]);
    await search.fill('nothing at all');
    await page.getByText('Nothing matches “nothing at all”.').waitFor();
    expect(await dashboard.close()).toEqual([]);
  });

  it.each(LOOKS)('find who changed an MX in two interactions after the search is open, %s', async (_look, options) => {
    const dashboard = await DashboardBrowser.open(browser, service, options);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo('/search');
    const interactions = new Interactions();

    await interactions.do(
      async (field) => {
        await field.fill('journey-shop.com mx');
        await field.press('Enter');
      },
      page.getByRole('searchbox', { name: 'Search' }),
    );
    await interactions.do(
      (link) => link.click(),
      page.getByRole('link', { name: 'journey-shop.com: MX @ 10 mail.example.net' }),
    );

    await page.getByText(/^Changed .* by API key/).waitFor();
    expect(interactions.count).toBe(2);
    expect(await dashboard.close()).toEqual([]);
  });

  it.each(LOOKS)(
    'create a key for a program in four interactions, with the server filled in, %s',
    async (_look, options) => {
      const dashboard = await DashboardBrowser.open(browser, service, options);
      const { page } = await dashboard.signIn(email);
      await dashboard.goTo('/api-keys');
      const interactions = new Interactions();

      await interactions.do((link) => link.click(), page.getByRole('link', { name: 'Create key' }));
      await interactions.do(
        (radio) => radio.check(),
        page.getByRole('radio', { name: 'The whole zone, by dynamic updates' }),
      );
      await interactions.do((field) => field.fill('journey-shop.com'), page.getByLabel('Domain', { exact: true }));
      await interactions.do((button) => button.click(), page.getByRole('button', { name: 'Create key' }));

      await page.getByText('for journey-shop.com').waitFor();
      expect(await page.locator('main').textContent()).not.toContain('SERVER');
      expect(interactions.count).toBe(4);
      expect(await dashboard.close()).toEqual([]);
    },
  );

  it.each(LOOKS)(
    'invite a colleague for two domains by name in six interactions and the menu of a phone, %s',
    async (look, options) => {
      const dashboard = await DashboardBrowser.open(browser, service, options);
      const { page } = await dashboard.signIn(email);
      await dashboard.goTo('/');
      const interactions = new Interactions();

      // On a phone, the navigation is behind one control.
      const menu = page.getByRole('button', { name: 'Menu', exact: true });
      const steps = (await menu.isVisible()) ? 7 : 6;
      if (steps === 7) await interactions.do((button) => button.click(), menu);
      await interactions.do((link) => link.click(), page.getByRole('navigation').getByRole('link', { name: 'Team' }));
      await interactions.do((field) => field.fill(`${look.length}@journey.example`), page.getByLabel('E-mail'));
      await interactions.do((radio) => radio.check(), page.getByRole('radio', { name: 'DNS editor' }).last());
      const domains = page.getByLabel('Only for these domains');
      await interactions.do((field) => field.fill('journey-shop.com journey-blog.com'), domains);
      await interactions.do((button) => button.click(), page.getByRole('button', { name: 'Create set-up link' }));
      await page.getByText('Only for journey-shop.com and journey-blog.com').waitFor();
      await interactions.do((button) => button.click(), page.getByRole('button', { name: 'Invite for 2 domains' }));

      await page.getByText(/DNS editor for domains tagged for-\d+, 2 domains now/).waitFor();
      expect(interactions.count).toBe(steps);
      expect(await dashboard.close()).toEqual([]);
    },
  );

  it.each(LOOKS)('give a domain to another registrar on one page in four interactions, %s', async (look, options) => {
    const name = `journey-leaves-${look.length}.com`;
    const id = await registered(client, name);
    const dashboard = await DashboardBrowser.open(browser, service, options);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains/${id}`);
    const interactions = new Interactions();

    await interactions.do((link) => link.click(), page.getByRole('link', { name: 'Transfer to another registrar' }));
    const unlock = page.getByRole('button', { name: 'Turn off the transfer lock' });
    await interactions.do((button) => button.click(), unlock);
    await interactions.do((field) => field.fill(name), page.getByLabel(/^Type/));
    await interactions.do((button) => button.click(), page.getByRole('button', { name: 'Issue an auth code' }));

    await page.locator('#auth-code').waitFor();
    expect(interactions.count).toBe(4);
    await page.getByRole('link', { name: 'Follow the transfer' }).click();
    await page.getByText('waiting for the other registrar').waitFor();
    expect(await dashboard.close()).toEqual([]);
  });

  it('have pages without an axe finding and without sideways scrolling on a phone', async () => {
    const dashboard = await DashboardBrowser.open(browser, service, { viewport: PHONE });
    const { page } = await dashboard.signIn(email);
    const findings: string[] = [];
    for (const path of [
      '/search',
      '/search?q=journey',
      '/search?q=absent',
      '/api-keys/new',
      '/team',
      `/domains/${shop}/transfer-out`,
      `/domains/${shop}/history`,
      `/domains/${shop}/names`,
    ]) {
      await dashboard.goTo(path);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (excess > 0) findings.push(`${path} is ${excess} pixels too wide`);
      findings.push(...(await seriousFindings(page)).map((finding) => `${path}: ${finding}`));
    }

    expect(findings).toEqual([]);
    expect(await dashboard.close()).toEqual([]);
  });
});
