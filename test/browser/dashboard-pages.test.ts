import type { Browser } from 'playwright-core';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { api, registered, startService, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';
import { registerAtRegistry } from '../support/registries/register-at-registry';
import { aUser, DashboardClient } from '../support/dashboard/dashboard-client';

describeOrSkip(CHROMIUM_MISSING)('every dashboard page', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let domain: string;
  let paths: readonly string[];
  let serial = 0;
  const domainName = 'a-name-as-long-as-names-may-be-which-breaks-whatever-is-narrow.com';

  beforeAll(async () => {
    service = await startService();
    browser = await startChromium();
    const accountId = await service.account();
    email = await aUser(service, accountId, 'owner', 'the-owner-of-this-account@namewright.example');
    await aUser(service, accountId, 'member');
    const client = api(service, await service.key(accountId));
    const id = await registered(client, domainName);
    const lapsed = await registered(client, 'lapsed.com');
    await client.put(`/api/domains/${lapsed}/autorenew`, { auto_renew: false });
    await client.post('/api/sandbox/advance', { days: 400 }).expect(200);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false });
    domain = `/domains/${id}`;
    const { body: record } = await client.post(`/api/domains/${id}/dns/records`, {
      type: 'SRV',
      name: '_service-of-a-long-name._tcp',
      content: 'host.of.a.long.name.example.net',
      priority: 1,
      weight: 1,
      port: 1,
    });
    await client.post(`/api/domains/${id}/dns/records`, { type: 'TXT', name: '@', content: 'x'.repeat(400) });
    const dashboard = await new DashboardClient(service).signIn(email);
    await dashboard.get(`${domain}/records`).expect(200);
    await dashboard.post(`${domain}/records`, { type: 'A', name: 'by-a-dashboard', content: '192.0.2.1' }).expect(303);
    const held = 'a-long-name-that-is-held-at-the-registrar.com';
    await registerAtRegistry(service, held);
    const { body: nameImport } = await client.post('/api/imports', { registry: 'simulated', names: [held] });
    await registerAtRegistry(service, held.replace('held', 'sold'));
    const [operation] = (await client.get(`/api/domains/${id}/operations`)).body;
    const ofDomain = [
      '',
      '/records',
      `/records?edit=${record.id}`,
      '/publication',
      '/history',
      '/history/2',
      '/history/2/roll-back',
      '/zone-file',
      '/operations',
      '/nameservers',
      '/switch',
      '/registrant',
      '/renew',
      '/delete',
    ].map((path) => `${domain}${path}`);
    const ofLapsed = ['', '/restore'].map((path) => `/domains/${lapsed}${path}`);
    paths = [
      '/',
      '/domains',
      '/domains?q=nothing',
      ...ofDomain,
      ...ofLapsed,
      '/register',
      '/register?q=some-name',
      '/register/details?name=some-name.com',
      `/register/progress/${operation.id}`,
      '/transfers',
      '/transfers/new',
      '/imports',
      `/imports/${nameImport.id}`,
      '/api-keys',
      '/api-keys/new',
      '/api-keys/new-tsig',
      '/api-keys/inactive',
      '/activity',
      '/team',
      '/settings',
      '/sandbox',
      '/nowhere',
    ];
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Pages that only a form leads to, with the steps. */
  const formPages: Readonly<Record<string, (dashboard: DashboardBrowser) => Promise<void>>> = {
    'a record with an error': async (dashboard) => {
      await dashboard.goTo(`${domain}/records`);
      await dashboard.page.getByText('Add a record', { exact: true }).click();
      await dashboard.page.locator('#new-name').fill('@');
      await dashboard.page.locator('#new-content').fill('no address');
      await dashboard.page.getByRole('button', { name: 'Add record' }).click();
      await dashboard.page.locator('#new-content[aria-invalid]').waitFor();
    },
    'the preview of an import': async (dashboard) => {
      await dashboard.goTo(`${domain}/zone-file`);
      await dashboard.page.locator('[name=text]').fill('@ 3600 IN A 192.0.2.1\n@ 3600 IN HINFO a b\n');
      await dashboard.page.getByRole('button', { name: 'Preview import' }).click();
      await dashboard.page.getByRole('button', { name: 'Import' }).waitFor();
    },
    'an auth code': async (dashboard) => {
      await dashboard.goTo(domain);
      await dashboard.page.getByText('Get an auth code', { exact: true }).click();
      await dashboard.page.getByRole('button', { name: 'Issue an auth code' }).click();
      await dashboard.page.locator('#auth-code').waitFor();
    },
    'the review of a registration': async (dashboard) => {
      await dashboard.goTo('/register/details?name=some-name.com');
      await dashboard.page.getByRole('button', { name: 'Review order' }).click();
      await dashboard.page.getByRole('button', { name: /^Register for/ }).waitFor();
    },
    'a new key': async (dashboard) => {
      await dashboard.goTo('/api-keys/new');
      await dashboard.page.getByLabel('Name').fill('a-name-of-a-key-without-a-place-where-it-may-break');
      await dashboard.page.getByRole('button', { name: 'Create API key' }).click();
      await dashboard.page.locator('#new-key').waitFor();
    },
    'a zone that could not be read': async (dashboard) => {
      await dashboard.goTo(`${domain}/zone-file`);
      await dashboard.page.locator('#read-source').selectOption('transfer');
      await dashboard.page.locator('#read-tsig-name').fill('transfer-key.example.net');
      await dashboard.page.getByRole('button', { name: 'Read zone' }).click();
      await dashboard.page.locator('#read-tsig-secret[aria-invalid]').waitFor();
    },
    'a new key for a program': async (dashboard) => {
      await dashboard.goTo('/api-keys/new-tsig');
      await dashboard.page.getByLabel('Name', { exact: true }).fill('a-name-of-a-program-without-a-place-to-break');
      await dashboard.page.getByLabel('Domain', { exact: true }).fill(domainName);
      await dashboard.page.getByRole('button', { name: 'Create key' }).click();
      await dashboard.page.locator('#new-key').waitFor();
    },
    'a set-up link': async (dashboard) => {
      await dashboard.goTo('/team');
      await dashboard.page.getByLabel('E-mail').fill(`invited-${(serial += 1)}@example.com`);
      await dashboard.page.getByRole('button', { name: 'Create set-up link' }).click();
      await dashboard.page.locator('#setup-link').waitFor();
    },
    'the set-up page': async ({ page }) => {
      await page.goto((await page.locator('#setup-link').textContent()) ?? '');
      await page.getByRole('button', { name: 'Set password' }).waitFor();
    },
  };

  async function visitAll(dashboard: DashboardBrowser, check: (where: string) => Promise<void>): Promise<void> {
    for (const path of paths) {
      await dashboard.goTo(path);
      await check(path);
    }
    for (const [where, go] of Object.entries(formPages)) {
      await go(dashboard);
      await check(where);
    }
  }

  it.each(['light', 'dark'] as const)('has no serious accessibility violations in %s colors', async (colorScheme) => {
    const dashboard = await DashboardBrowser.open(browser, service, { colorScheme });
    await dashboard.goTo('/sign-in');
    const findings = [...(await seriousFindings(dashboard.page))];
    await dashboard.signIn(email);

    await visitAll(dashboard, async (where) => {
      findings.push(...(await seriousFindings(dashboard.page)).map((finding) => `${where}: ${finding}`));
    });

    expect(findings).toEqual([]);
    expect(await dashboard.close()).toEqual([]);
  });

  it.each([360, 390, 768, 1000, 1920])('fits a screen %i pixels wide', async (width) => {
    const dashboard = await DashboardBrowser.open(browser, service, { viewport: { width, height: 740 } });
    await dashboard.signIn(email);
    const wide: string[] = [];

    await visitAll(dashboard, async (where) => {
      const excess = await dashboard.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (excess > 0) wide.push(`${where} by ${excess} px`);
      const cells = await dashboard.page.evaluate(() =>
        Array.from(document.querySelectorAll('td'), (cell) =>
          cell.scrollWidth > cell.clientWidth ? cell.innerText : '',
        ).filter(Boolean),
      );
      wide.push(...cells.map((text) => `${where} in the cell ${text}`));
      const spilling = await dashboard.page.evaluate(() =>
        Array.from(
          document.querySelectorAll('table'),
          ({ offsetWidth, parentElement }) => offsetWidth - (parentElement?.clientWidth ?? 0),
        ).filter((excess) => excess > 0),
      );
      wide.push(...spilling.map((excess) => `${where}: a table exceeds its card by ${excess} px`));
      const squeezed = await dashboard.page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('td.main-cell, td.content-cell'), (cell) =>
          cell.clientWidth < 90 && cell.innerText.length > 12 ? cell.innerText : '',
        ).filter(Boolean),
      );
      const broken = await dashboard.page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('th:not(:has(.visually-hidden))'), (head) => {
          const range = document.createRange();
          range.selectNodeContents(head);
          const lines = new Set(Array.from(range.getClientRects(), ({ top }) => top));
          return lines.size > 1 && !/[\s-]/.test(head.innerText.trim()) ? head.innerText : '';
        }).filter(Boolean),
      );
      wide.push(...broken.map((text) => `${where} in the broken head ${text}`));
      wide.push(...squeezed.map((text) => `${where} in the squeezed cell ${text}`));
    });

    expect(wide).toEqual([]);
    expect(await dashboard.close()).toEqual([]);
  });

  it.each([360, 414])('uses the full width of a phone %i pixels wide for full-width cells', async (width) => {
    const dashboard = await DashboardBrowser.open(browser, service, { viewport: { width, height: 740 } });
    await dashboard.signIn(email);
    const narrow: string[] = [];

    await visitAll(dashboard, async (where) => {
      const cells = await dashboard.page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('tbody tr'), (row) => {
          const { paddingLeft, paddingRight } = getComputedStyle(row);
          const room = row.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
          return Array.from(row.querySelectorAll<HTMLElement>(':scope > td'), (cell) =>
            getComputedStyle(cell).gridColumnEnd === '-1' && room - cell.getBoundingClientRect().width > 1
              ? cell.innerText.slice(0, 60)
              : '',
          );
        })
          .flat()
          .filter(Boolean),
      );
      narrow.push(...cells.map((text) => `${where} in the cell ${text}`));
    });

    expect(narrow).toEqual([]);
    expect(await dashboard.close()).toEqual([]);
  });
});
