import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { measureList } from '../support/dashboard/list-layout';
import { startService, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';

describeOrSkip(CHROMIUM_MISSING)('the API reference in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let address: string;
  const problems: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    service = await startService();
    address = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
    browser = await startChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(address + path);
    return page;
  }

  it.each<[string, BrowserContextOptions]>([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colors', { forcedColors: 'active' }],
  ])('has no accessibility finding in %s', async (_name, options) => {
    for (const path of ['/docs', '/docs/registration']) {
      const page = await open(path, options);
      await page.locator('details').evaluateAll((all) => all.forEach((details) => details.setAttribute('open', '')));

      expect({ path, findings: await seriousFindings(page) }).toEqual({ path, findings: [] });
      await page.close();
    }
  });

  it.each([390, 1280])('fits a screen of %d px, with its links on one line each and below the brand', async (width) => {
    for (const path of ['/docs', '/docs/registration', '/docs/zones', '/docs/schemas']) {
      const page = await open(path, { viewport: { width, height: 800 } });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

      const { overlaps } = await measureList(page);
      const links = await page
        .locator('.sidebar :is(.brand, nav a):visible')
        .evaluateAll((all) => all.map((link) => link.getBoundingClientRect()))
        .then(([brand, ...others]) =>
          others.map(({ height, top }) => ({ height, isBelow: top >= (brand?.bottom ?? top) })),
        );

      expect({ path, excess, overlaps }).toEqual({ path, excess: 0, overlaps: [] });
      expect(links.filter(({ height, isBelow }) => height > 44 || !isBelow)).toEqual([]);
      await page.close();
    }
  });

  it('finds an operation by words of its summary, method or path', async () => {
    const page = await open('/docs');

    await page.getByLabel('Find an operation').fill('put /nameservers');

    expect(await page.locator('[data-operation]:visible a').allTextContents()).toEqual(['Change the nameservers']);
    expect(await page.getByRole('status').textContent()).toBe('1 operation');
    await page.close();
  });

  it('shows the sample in the chosen language without scripts', async () => {
    const page = await open('/docs/registration#renewDomain', { javaScriptEnabled: false });
    const section = page.locator('#renewDomain');

    expect(await section.getByLabel('Renew a domain, Python').isVisible()).toBe(false);
    await section.getByText('Python', { exact: true }).click();

    expect(await section.getByLabel('Renew a domain, Python').textContent()).toContain('import json, os');
    expect(await section.getByLabel('Renew a domain, curl').isVisible()).toBe(false);
    await page.close();
  });

  it('applies the language to all samples and remembers it', async () => {
    const page = await open('/docs/registration');
    await page.locator('#renewDomain').getByText('JavaScript', { exact: true }).click();
    await page.goto(`${address}/docs/transfers`);

    expect(await page.getByLabel('Cancel a transfer, JavaScript').isVisible()).toBe(true);
    expect(await page.getByLabel('Cancel a transfer, curl').isVisible()).toBe(false);
    await page.close();
  });

  it('sends requests only to the service and respects its Content-Security-Policy', async () => {
    await (await open('/docs')).close();

    expect(requests).toContain(`${address}/docs`);
    expect(requests.filter((url) => !url.startsWith(`${address}/`))).toEqual([]);
    expect(problems).toEqual([]);
  });
});
