import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { openapi } from '../support/http/openapi';
import { startService, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';

describeOrSkip(CHROMIUM_MISSING)('the page at /docs in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let address: string;
  const problems: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    service = await startService();
    address = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
    browser = await startChromium();
    page = await browser.newPage();
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${address}/docs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('shows every operation of the OpenAPI document', async () => {
    const summaries = Object.values(openapi.paths).flatMap((operations) =>
      Object.values(operations).map(({ summary }) => summary),
    );

    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();

    expect(headings.map((heading) => heading.trim())).toEqual(expect.arrayContaining(summaries));
  });

  it('is dark if the browser prefers that, with enough contrast', async () => {
    const dark = await browser.newPage({ colorScheme: 'dark' });
    dark.on('console', (message) => problems.push(message.text()));
    await dark.goto(`${address}/docs`);
    await dark.getByRole('heading', { level: 1 }).waitFor();

    expect(await dark.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(16, 21, 20)');
    expect(await seriousFindings(dark, 'color-contrast')).toEqual([]);
    await dark.close();
  });

  it('finds an operation by a keyword', async () => {
    await page.getByRole('textbox').fill('nameservers');

    await page.getByRole('menuitem', { name: 'Change the nameservers' }).first().waitFor();
  });

  it('sends requests only to the service and respects its Content-Security-Policy', () => {
    expect(requests.filter((url) => !url.replace('blob:', '').startsWith(`${address}/`))).toEqual([]);
    expect(problems).toEqual([]);
  });
});
