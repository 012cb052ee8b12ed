import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM_MISSING, startChromium } from '../support/chromium';
import { Person } from '../support/dashboard-browser';
import { api, registered, startService, type TestService } from '../support/service';
import { describeIf } from '../support/skip-aloud';
import { aPerson } from '../support/visitor';

declare const axe: { run: (context: Document, options: RunOptions) => Promise<AxeResults> };

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The findings that keep people out. Run as the page's own developer would: past its policy, which forbids other scripts. */
async function seriousFindings(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  const { violations, passes } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  if (passes.length < 10) throw new Error(`axe looked at next to nothing: ${passes.length} rules`);
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describeIf(CHROMIUM_MISSING === undefined, CHROMIUM_MISSING ?? '')('every page of the dashboard', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let paths: readonly string[];

  beforeAll(async () => {
    service = await startService();
    browser = await startChromium();
    const accountId = await service.account();
    email = await aPerson(service, accountId);
    await aPerson(service, accountId, 'member');
    const client = api(service, await service.key(accountId));
    const id = await registered(client, 'a-name-as-long-as-names-may-be-which-breaks-whatever-is-narrow.com');
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false });
    const { body: record } = await client.post(`/api/domains/${id}/dns/records`, { type: 'SRV', name: '_service-of-a-long-name._tcp', content: 'host.of.a.long.name.example.net', priority: 1, weight: 1, port: 1 });
    await client.post(`/api/domains/${id}/dns/records`, { type: 'TXT', name: '@', content: 'x'.repeat(400) });
    const [operation] = (await client.get(`/api/domains/${id}/operations`)).body;
    const ofDomain = ['', '/records', `/records?edit=${record.id}`, '/publication', '/history', '/history/2', '/history/2/restore', '/zone-file', '/operations', '/nameservers', '/registrant', '/renew', '/delete'].map((path) => `/domains/${id}${path}`);
    paths = ['/', '/domains', '/domains?q=nothing', ...ofDomain, '/register', '/register?q=some-name', '/register/details?name=some-name.com', `/register/progress/${operation.id}`, '/api-keys', '/api-keys/new', '/activity', '/team', '/settings', '/sandbox', '/nowhere'];
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each(['light', 'dark'] as const)('keeps nobody out, in %s colours', async (colorScheme) => {
    const person = await Person.at(browser, service, { colorScheme });
    await person.goTo('/sign-in');
    const findings = [...(await seriousFindings(person.page))];
    await person.signIn(email);

    for (const path of paths) {
      await person.goTo(path);
      findings.push(...(await seriousFindings(person.page)).map((finding) => `${path} ${finding}`));
    }

    expect(findings).toEqual([]);
    expect(await person.leave()).toEqual([]);
  }, 120_000);

  it('fits a screen of 360 pixels', async () => {
    const person = await Person.at(browser, service, { viewport: { width: 360, height: 740 } });
    await person.signIn(email);
    const wide: string[] = [];

    for (const path of paths) {
      await person.goTo(path);
      const excess = await person.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (excess > 0) wide.push(`${path} by ${excess} px`);
      const cells = await person.page.evaluate(() => Array.from(document.querySelectorAll('td'), (cell) => (cell.scrollWidth > cell.clientWidth ? cell.innerText : '')).filter(Boolean));
      wide.push(...cells.map((text) => `${path} in the cell ${text}`));
    }

    expect(wide).toEqual([]);
    expect(await person.leave()).toEqual([]);
  }, 60_000);
});
