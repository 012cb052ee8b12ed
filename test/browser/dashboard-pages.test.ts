import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { Person } from '../support/dashboard/dashboard-browser';
import { api, registered, startService, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';
import { aPerson, Visitor } from '../support/dashboard/visitor';

declare const axe: { run: (context: Document, options: RunOptions) => Promise<AxeResults> };

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The findings that keep people out. Run as the page's own developer would: past its policy, which forbids other scripts. */
async function seriousFindings(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  const { violations, passes } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  if (passes.length < 10) throw new Error(`axe looked at next to nothing: ${passes.length} rules`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describeOrSkip(CHROMIUM_MISSING)('every page of the dashboard', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let domain: string;
  let paths: readonly string[];
  let serial = 0;

  beforeAll(async () => {
    service = await startService();
    browser = await startChromium();
    const accountId = await service.account();
    email = await aPerson(service, accountId, 'owner', 'the-owner-of-this-account@namewright.example');
    await aPerson(service, accountId, 'member');
    const client = api(service, await service.key(accountId));
    const id = await registered(client, 'a-name-as-long-as-names-may-be-which-breaks-whatever-is-narrow.com');
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
    const visitor = await new Visitor(service).signIn(email);
    await visitor.get(`${domain}/records`).expect(200);
    await visitor.post(`${domain}/records`, { type: 'A', name: 'by-a-person', content: '192.0.2.1' }).expect(303);
    const [operation] = (await client.get(`/api/domains/${id}/operations`)).body;
    const ofDomain = [
      '',
      '/records',
      `/records?edit=${record.id}`,
      '/publication',
      '/history',
      '/history/2',
      '/history/2/restore',
      '/zone-file',
      '/operations',
      '/nameservers',
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
      '/api-keys',
      '/api-keys/new',
      '/api-keys/former',
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

  /** What only forms answer with: the steps there. */
  const answers: Readonly<Record<string, (person: Person) => Promise<void>>> = {
    'a record with a fault': async (person) => {
      await person.goTo(`${domain}/records`);
      await person.page.getByText('Add a record', { exact: true }).click();
      await person.page.locator('#new-name').fill('@');
      await person.page.locator('#new-content').fill('no address');
      await person.page.getByRole('button', { name: 'Add the record' }).click();
      await person.page.locator('#new-content[aria-invalid]').waitFor();
    },
    'the plan of an import': async (person) => {
      await person.goTo(`${domain}/zone-file`);
      await person.page.locator('[name=text]').fill('@ 3600 IN A 192.0.2.1\n@ 3600 IN HINFO a b\n');
      await person.page.getByRole('button', { name: 'Show the plan' }).click();
      await person.page.getByRole('button', { name: 'Apply the plan' }).waitFor();
    },
    'an auth code': async (person) => {
      await person.goTo(domain);
      await person.page.getByText('Get an auth code', { exact: true }).click();
      await person.page.getByRole('button', { name: 'Issue an auth code' }).click();
      await person.page.locator('#auth-code').waitFor();
    },
    'the review of a registration': async (person) => {
      await person.goTo('/register/details?name=some-name.com');
      await person.page.getByRole('button', { name: 'Continue to the review' }).click();
      await person.page.getByRole('button', { name: /^Register for/ }).waitFor();
    },
    'a new key': async (person) => {
      await person.goTo('/api-keys/new');
      await person.page.getByLabel('Name').fill('a-name-of-a-key-without-a-place-where-it-may-break');
      await person.page.getByRole('button', { name: 'Create the key' }).click();
      await person.page.locator('#new-key').waitFor();
    },
    'a set-up link': async (person) => {
      await person.goTo('/team');
      await person.page.getByLabel('E-mail').fill(`invited-${(serial += 1)}@example.com`);
      await person.page.getByRole('button', { name: 'Make the link' }).click();
      await person.page.locator('#setup-link').waitFor();
    },
    'the choice of a password': async ({ page }) => {
      await page.goto((await page.locator('#setup-link').textContent()) ?? '');
      await page.getByRole('button', { name: 'Set the password' }).waitFor();
    },
  };

  async function visitAll(person: Person, look: (where: string) => Promise<void>): Promise<void> {
    for (const path of paths) {
      await person.goTo(path);
      await look(path);
    }
    for (const [where, go] of Object.entries(answers)) {
      await go(person);
      await look(where);
    }
  }

  it.each(['light', 'dark'] as const)('keeps nobody out, in %s colors', async (colorScheme) => {
    const person = await Person.at(browser, service, { colorScheme });
    await person.goTo('/sign-in');
    const findings = [...(await seriousFindings(person.page))];
    await person.signIn(email);

    await visitAll(person, async (where) => {
      findings.push(...(await seriousFindings(person.page)).map((finding) => `${where}: ${finding}`));
    });

    expect(findings).toEqual([]);
    expect(await person.leave()).toEqual([]);
  });

  it.each([360, 390, 768, 1000, 1920])('fits a screen of %i pixels', async (width) => {
    const person = await Person.at(browser, service, { viewport: { width, height: 740 } });
    await person.signIn(email);
    const wide: string[] = [];

    await visitAll(person, async (where) => {
      const excess = await person.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (excess > 0) wide.push(`${where} by ${excess} px`);
      const cells = await person.page.evaluate(() =>
        Array.from(document.querySelectorAll('td'), (cell) =>
          cell.scrollWidth > cell.clientWidth ? cell.innerText : '',
        ).filter(Boolean),
      );
      wide.push(...cells.map((text) => `${where} in the cell ${text}`));
      const spilling = await person.page.evaluate(() =>
        Array.from(
          document.querySelectorAll('table'),
          ({ offsetWidth, parentElement }) => offsetWidth - (parentElement?.clientWidth ?? 0),
        ).filter((excess) => excess > 0),
      );
      wide.push(...spilling.map((excess) => `${where}: a table leaves its card by ${excess} px`));
      const squeezed = await person.page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('td.main-cell, td.content-cell'), (cell) =>
          cell.clientWidth < 90 && cell.innerText.length > 12 ? cell.innerText : '',
        ).filter(Boolean),
      );
      const broken = await person.page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('th:not(:has(.unseen))'), (head) => {
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
    expect(await person.leave()).toEqual([]);
  });

  it.each([360, 414])('uses the whole width of a phone of %i pixels for what has a line to itself', async (width) => {
    const person = await Person.at(browser, service, { viewport: { width, height: 740 } });
    await person.signIn(email);
    const narrow: string[] = [];

    await visitAll(person, async (where) => {
      const cells = await person.page.evaluate(() =>
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
    expect(await person.leave()).toEqual([]);
  });
});
