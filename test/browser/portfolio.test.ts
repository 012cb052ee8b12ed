import type { Browser, Locator } from 'playwright-core';
import { bringAxe, seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { aUser } from '../support/dashboard/dashboard-client';
import { describeOrSkip } from '../support/describe-or-skip';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';

const DOMAINS = 200;
const AT_ONCE = 10;
const MAX_INTERACTIONS = 6;
const HOSTS = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];

describeOrSkip(CHROMIUM_MISSING)('a portfolio of two hundred domains in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let client: Api;
  let email: string;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    browser = await startChromium();
    const accountId = await service.account();
    email = await aUser(service, accountId);
    client = api(service, await service.key(accountId));
    for (let from = 0; from < DOMAINS; from += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          registered(client, `portfolio-${String(from + index).padStart(3, '0')}.com`),
        ),
      );
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('gets other nameservers for all of them in at most six interactions, without scripts, and back', async () => {
    const dashboard = await DashboardBrowser.open(browser, service, { javaScriptEnabled: false });
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo('/domains');
    expect(await page.locator('#list-status').textContent()).toBe('1–50 of 200 domains');
    let interactions = 0;
    const interact = async (act: (target: Locator) => Promise<unknown>, target: Locator): Promise<void> => {
      await act(target);
      interactions += 1;
    };

    await interact((box) => box.check(), page.getByLabel('All 200 that match'));
    await interact((list) => list.selectOption('nameservers'), page.getByLabel('Action'));
    await interact((button) => button.click(), page.getByRole('button', { name: 'Continue' }));
    await interact((field) => field.fill(HOSTS.join('\n')), page.getByLabel('Nameservers, one per line'));
    await interact((button) => button.click(), page.getByRole('button', { name: 'Review the changes' }));
    expect(await page.locator('main').textContent()).toContain('200 of them use the DNS records of this service');
    await interact((button) => button.click(), page.getByRole('button', { name: 'Change nameservers of 200 domains' }));

    console.info(`nameservers of ${DOMAINS} domains: ${interactions} interactions`);
    expect(interactions).toBeLessThanOrEqual(MAX_INTERACTIONS);
    const untilFinished = async (): Promise<void> => {
      while ((await page.locator('.badge').first().textContent()) === 'in progress') {
        await page.waitForTimeout(200);
        await page.reload();
      }
    };
    await untilFinished();
    expect(await page.locator('#bulk-job').textContent()).toContain('200 done, 0 failed, 0 remaining');
    const { body } = await client.get(`/api/domains?nameserver=${HOSTS[0]}`).expect(200);
    expect(body).toHaveLength(DOMAINS);
    await page.getByText('Undo', { exact: true }).click();
    await page.getByRole('button', { name: 'Undo the change' }).click();
    await untilFinished();
    await client.get(`/api/domains?nameserver=${HOSTS[0]}`).expect(200, []);
    expect(await dashboard.close()).toEqual([]);
  });

  it('tags selected domains, filters by the tag, saves the view, and renews for the total that was shown', async () => {
    const dashboard = await DashboardBrowser.open(browser, service, { colorScheme: 'dark' });
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo('/domains');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('Select portfolio-003.com').check();
    await page.getByLabel('Select portfolio-004.com').check();
    await page.getByLabel('Action').selectOption('tags');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Tags to add (optional)').fill('Shop, Client 7');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change tags of 2 domains' }).click();
    await page.getByText('2 done, 0 failed, 0 remaining').waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    const every = ['status', 'expiry', 'renewal', 'lock', 'health', 'price', 'tags', 'nameservers'];
    await dashboard.goTo(`/domains?tag=shop${every.map((column) => `&col=${column}`).join('')}`);
    const hidden = await page.locator('#bulk').evaluate((list) => list.scrollWidth - list.clientWidth);
    expect(hidden).toBe(0);
    expect(await page.locator('#list-status').textContent()).toBe('2 domains');
    await page.getByText('Save this view').click();
    await page.getByLabel('Name', { exact: true }).fill('Shops');
    await page.getByRole('button', { name: 'Save view' }).click();
    expect(await page.getByRole('link', { name: 'Shops' }).getAttribute('aria-current')).toBe('true');
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByLabel('Select all on this page').check();
    await page.getByLabel('Action').selectOption('renew');
    await page.getByRole('button', { name: 'Continue' }).click();
    const button = page.getByRole('button', { name: /^Renew 2 domains for \$/ });
    await button.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button.click();
    await page.getByText('2 done, 0 failed, 0 remaining').waitFor();
    expect(await page.getByText('Undo', { exact: true }).count()).toBe(0);
    expect(await dashboard.close()).toEqual([]);
  });

  it.each([1_440, 1_280, 1_024, 768, 390])('shows every column of the list whole, %i pixels wide', async (width) => {
    const long = await registered(client, `a-name-as-long-as-those-that-people-really-use-${width}.com`);
    const tags = ['client-of-the-agency', 'shop', 'renewed-by-finance', 'brand-protection'];
    await client.put(`/api/domains/${long}/tags`, { tags }).expect(200);
    const dashboard = await DashboardBrowser.open(browser, service, { viewport: { width, height: 900 } });
    const { page } = await dashboard.signIn(email);
    const hidden: string[] = [];

    for (const query of ['', '?tag=shop', '?q=a-name', '?col=status&col=expiry&col=price&col=tags&col=nameservers']) {
      await dashboard.goTo(`/domains${query}`);
      const pixels = await page.locator('#bulk').evaluate((list) => list.scrollWidth - list.clientWidth);
      if (pixels > 0) hidden.push(`/domains${query}: ${pixels} pixels`);
    }

    expect(hidden).toEqual([]);
    expect(await dashboard.close()).toEqual([]);
  });

  it.each([
    ['390 pixels wide', { viewport: { width: 390, height: 800 } }],
    ['with forced colors', { forcedColors: 'active' }],
    ['at a zoom of 200 %', { viewport: { width: 640, height: 400 } }],
  ] as const)('has pages without an axe finding and without sideways scrolling, %s', async (_look, options) => {
    const dashboard = await DashboardBrowser.open(browser, service, options);
    const { page } = await dashboard.signIn(email);
    await bringAxe(page);
    const domain = `/domains/${(await client.get('/api/domains?limit=1').expect(200)).body[0].id}`;
    const list = '/domains?tag=shop&col=status&col=tags&col=nameservers';
    const bulk = '/bulk/new?action=nameservers&which=all&matching=tag%3Dshop';
    const findings: string[] = [];
    for (const path of ['/', list, bulk, domain, `${domain}/records`, `${domain}/health`, '/register', '/settings']) {
      await dashboard.goTo(path);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (excess > 0) findings.push(`${path} is ${excess} pixels too wide`);
      findings.push(...(await seriousFindings(page)).map((finding) => `${path}: ${finding}`));
    }

    expect(findings).toEqual([]);
    expect(await dashboard.close()).toEqual([]);
  });
});
