import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { api, registered, startService, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';
import { registerAtRegistry } from '../support/registries/register-at-registry';
import { aUser, DashboardClient } from '../support/dashboard/dashboard-client';

const COLORS = ['light', 'dark'] as const;
const WIDTHS = [360, 390, 768, 1000, 1920];
const PHONES = [360, 414];
const HEIGHT = 740;
const PHONE = { width: 360, height: HEIGHT };
const DESKTOP = { width: 1280, height: 800 };

describeOrSkip(CHROMIUM_MISSING)('every dashboard page', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let domain: string;
  let paths: readonly string[];
  /** What is wrong on the pages, by color scheme or width. */
  const violations = new Map<string, string[]>(COLORS.map((colors) => [colors, []]));
  const misfits = new Map<number, string[]>(WIDTHS.map((width) => [width, []]));
  const narrowCells = new Map<number, string[]>(PHONES.map((width) => [width, []]));
  let dashboard: DashboardBrowser;
  let problems: readonly string[];
  const domainName = 'a-name-as-long-as-names-may-be-which-breaks-whatever-is-narrow.com';

  beforeAll(async () => {
    service = await startService();
    browser = await startChromium();
    const accountId = await service.account();
    email = await aUser(service, accountId, 'owner', 'the-owner-of-this-account@namewright.example');
    await aUser(service, accountId, 'manager');
    const client = api(service, await service.key(accountId));
    const id = await registered(client, domainName);
    const lapsed = await registered(client, 'lapsed.com');
    await client.put(`/api/domains/${lapsed}/autorenew`, { auto_renew: false });
    await client.post('/api/sandbox/advance', { days: 400 }).expect(200);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false });
    const leaving = await registered(client, 'a-long-name-that-another-registrar-wants.com');
    const { body: code } = await client.post(`/api/domains/${leaving}/auth-code`);
    await client.put(`/api/domains/${leaving}/transfer-lock`, { transfer_locked: false });
    await client
      .post('/api/sandbox/transfer-out', {
        name: 'a-long-name-that-another-registrar-wants.com',
        auth_code: code.auth_code,
      })
      .expect(200);
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
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
    await client.put(`/api/domains/${id}/dnssec`, { enabled: true });
    const [operation] = (await client.get(`/api/domains/${id}/operations`)).body;
    await client.post(`/api/domains/${id}/health`).expect(200);
    const ofDomain = [
      '',
      '/health',
      '/records',
      `/records?edit=${record.id}`,
      '/templates',
      '/templates/netlify?site=some-site',
      '/mail',
      '/publication',
      '/dnssec',
      '/history',
      '/history/2',
      '/history/2/roll-back',
      '/zone-file',
      '/operations',
      '/nameservers',
      '/nameservers?nameservers=ns1.elsewhere.test+ns2.elsewhere.test',
      '/switch',
      '/registrant',
      '/renew',
      '/delete',
      '/auth-code',
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
      '/register/order?name=some-name.com',
      `/register/progress/${operation.id}`,
      '/transfers',
      '/transfers/new',
      '/imports',
      `/imports/${nameImport.id}`,
      '/api-keys',
      '/api-keys/new',
      '/api-keys/new-tsig',
      '/api-keys/inactive',
      '/record-templates',
      '/record-templates/new',
      '/nameservers',
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
    'a domain that was checked on demand': async (dashboard) => {
      await dashboard.goTo(`${domain}/health`);
      await dashboard.page.getByRole('button', { name: 'Check now' }).click();
      await dashboard.page.getByText('The domain has been checked.').waitFor();
    },
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
      await dashboard.page.getByRole('link', { name: 'Get an auth code' }).click();
      await dashboard.page.getByLabel(/^Type .+ to confirm$/).fill(domainName);
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
      await dashboard.page.getByLabel('E-mail').fill('invited@example.com');
      await dashboard.page.getByRole('button', { name: 'Create set-up link' }).click();
      await dashboard.page.locator('#setup-link').waitFor();
    },
    'the set-up page': async ({ page }) => {
      await page.goto((await page.locator('#setup-link').textContent()) ?? '');
      await page.getByRole('button', { name: 'Set password' }).waitFor();
    },
  };

  // Each page is visited once, on the narrowest phone, and checked there in each color scheme and at each width.
  beforeAll(async () => {
    // A transition between the color schemes would be checked halfway.
    dashboard = await DashboardBrowser.open(browser, service, { viewport: PHONE, reducedMotion: 'reduce' });
    await dashboard.goTo('/sign-in');
    await checkColors(dashboard.page, '/sign-in');
    await dashboard.signIn(email);
    for (const path of paths) {
      await dashboard.goTo(path);
      await check(dashboard.page, path);
    }
  });

  beforeAll(async () => {
    for (const [where, go] of Object.entries(formPages)) {
      await go(dashboard);
      await check(dashboard.page, where);
    }
    problems = await dashboard.close();
  });

  async function check(page: Page, where: string): Promise<void> {
    for (const width of new Set([...WIDTHS, ...PHONES])) {
      await page.setViewportSize({ width, height: HEIGHT });
      misfits.get(width)?.push(...(await findMisfits(page)).map((misfit) => `${where}${misfit}`));
      narrowCells.get(width)?.push(...(await findNarrowCells(page)).map((cell) => `${where} in the cell ${cell}`));
    }
    await checkColors(page, where);
    await page.setViewportSize(PHONE);
  }

  async function checkColors(page: Page, where: string): Promise<void> {
    await page.setViewportSize(DESKTOP);
    for (const colorScheme of COLORS) {
      await page.emulateMedia({ colorScheme });
      // The document is the same in dark colors: only the rules on colors can differ.
      const rules = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : [];
      const findings = await seriousFindings(page, ...rules);
      violations.get(colorScheme)?.push(...findings.map((finding) => `${where}: ${finding}`));
    }
  }

  it.each(COLORS)('has no serious accessibility violations in %s colors', (colorScheme) => {
    expect(violations.get(colorScheme)).toEqual([]);
  });

  it.each(WIDTHS)('fits a screen %i pixels wide', (width) => {
    expect(misfits.get(width)).toEqual([]);
  });

  it.each(PHONES)('uses the full width of a phone %i pixels wide for full-width cells', (width) => {
    expect(narrowCells.get(width)).toEqual([]);
  });

  it('logs no error, opens no dialog and sends no request to another host', () => {
    expect(problems).toEqual([]);
  });
});

/** What is wider than the screen, its card or its cell, or too narrow to read. */
function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const cells = Array.from(document.querySelectorAll('td'), (cell) =>
      cell.scrollWidth > cell.clientWidth ? cell.innerText : '',
    ).filter(Boolean);
    const spilling = Array.from(
      document.querySelectorAll('table'),
      ({ offsetWidth, parentElement }) => offsetWidth - (parentElement?.clientWidth ?? 0),
    ).filter((pixels) => pixels > 0);
    const squeezed = Array.from(document.querySelectorAll<HTMLElement>('td.main-cell, td.content-cell'), (cell) =>
      cell.clientWidth < 90 && cell.innerText.length > 12 ? cell.innerText : '',
    ).filter(Boolean);
    const broken = Array.from(document.querySelectorAll<HTMLElement>('th:not(:has(.visually-hidden))'), (head) => {
      const range = document.createRange();
      range.selectNodeContents(head);
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => top));
      return lines.size > 1 && !/[\s-]/.test(head.innerText.trim()) ? head.innerText : '';
    }).filter(Boolean);
    return [
      ...(excess > 0 ? [` by ${excess} px`] : []),
      ...cells.map((text) => ` in the cell ${text}`),
      ...spilling.map((pixels) => `: a table exceeds its card by ${pixels} px`),
      ...squeezed.map((text) => ` in the squeezed cell ${text}`),
      ...broken.map((text) => ` in the broken head ${text}`),
    ];
  });
}

/** Cells that span their row but do not fill it. */
function findNarrowCells(page: Page): Promise<string[]> {
  return page.evaluate(() =>
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
}
