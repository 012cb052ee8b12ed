import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { aUser } from '../support/dashboard/dashboard-client';
import { describeOrSkip } from '../support/describe-or-skip';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function isApart(from: number, length: number, otherFrom: number, otherLength: number): boolean {
  return from + length <= otherFrom || otherFrom + otherLength <= from;
}

function overlap(one: Box, other: Box): boolean {
  return !(isApart(one.x, one.width, other.x, other.width) || isApart(one.y, one.height, other.y, other.height));
}

describeOrSkip(CHROMIUM_MISSING)('records tools in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let client: Api;
  let dashboard: DashboardBrowser;
  let page: Page;
  let name: string;
  let path: string;
  let serial = 0;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0', RATE_LIMIT_PER_MINUTE: '0' });
    browser = await startChromium();
    const accountId = await service.account();
    email = await aUser(service, accountId);
    client = api(service, await service.key(accountId));
    dashboard = await DashboardBrowser.open(browser, service);
    ({ page } = await dashboard.signIn(email));
  });
  afterAll(async () => {
    const problems = await dashboard?.close();
    await browser?.close();
    await service?.stop();
    expect(problems).toEqual([]);
  });

  beforeEach(async () => {
    name = `tools-${(serial += 1)}.com`;
    path = `/domains/${await registered(client, name)}`;
  });

  const add = (record: object) => client.post(`/api${path}/dns/records`, record).expect(201);
  const contents = async (): Promise<string[]> =>
    (await client.get(`/api${path}/dns/records`).expect(200)).body
      .map(({ name: owner, type, content }: Record<string, string>) => `${owner} ${type} ${content}`)
      .toSorted();
  const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click();

  /** Serious findings of axe, in light and dark. */
  async function expectAccessible(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await seriousFindings(page)).toEqual([]);
    }
  }

  it.each([1280, 390])(
    'shows the comment, the manager and the last change of a record with its content, one beside or below another, at %d pixels',
    async (width) => {
      await add({ type: 'A', name: 'www', content: '192.0.2.1', comment: 'Web server', managed_by: 'ci' });
      await page.setViewportSize({ width, height: 800 });
      await dashboard.goTo(`${path}/records`);

      const row = page.locator('.record-row');
      const texts = ['192.0.2.1', 'Web server', 'Managed by ci', /^Changed .* by API key/];
      const boxes: Box[] = [];
      for (const text of texts) {
        const box = await row.locator('td p, td code, td .small').filter({ hasText: text }).first().boundingBox();
        if (!box) throw new Error(`${text} is not shown`);
        boxes.push(box);
      }

      for (const [index, box] of boxes.entries()) {
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await expectAccessible();
      await row.getByRole('link', { name: /^Changed .*: history of A www$/ }).click();
      await page.getByText('The versions that changed one record').waitFor();
      await expectAccessible();
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  it('applies a template after a preview, and undoes it', async () => {
    await add({ type: 'A', name: 'www', content: '192.0.2.1' });
    await dashboard.goTo(`${path}/records`);
    await page.getByText('More tools for records').click();
    await page.getByRole('link', { name: 'Use a template' }).click();
    await expectAccessible();
    await page.getByRole('link', { name: 'Netlify' }).click();
    await page.getByLabel('Site name').fill('ada notes');
    await press('Preview changes');
    await page.locator('#site[aria-invalid]').waitFor();
    await page.getByLabel('Site name').fill('ada-notes');
    await press('Preview changes');
    await page.locator('#plan').waitFor();
    await expectAccessible();
    await press('Apply template');
    await page.getByText(/^Netlify was applied/).waitFor();
    expect(await contents()).toEqual(['@ A 75.2.60.5', 'www CNAME ada-notes.netlify.app']);

    await press('Undo');
    await page.getByText('The zone is rolled back').waitFor();
    expect(await contents()).toEqual(['www A 192.0.2.1']);
  });

  it("keeps the account's own templates, and undoes their deletion", async () => {
    await dashboard.goTo('/record-templates/new');
    await page.getByLabel('Name', { exact: true }).fill('Our web servers');
    await page.getByLabel('Records').fill('@ 300 A {address}\nwww CNAME {domain}.');
    await expectAccessible();
    await press('Save template');
    await page.getByText('Created the template “Our web servers”.').waitFor();
    await expectAccessible();
    await page.getByRole('link', { name: 'Our web servers' }).click();
    await page.locator('summary', { hasText: 'Delete template' }).click();
    await press('Delete template');
    await page.getByText('Deleted the template “Our web servers”.').waitFor();
    await press('Undo');
    await page.getByText('Created the template “Our web servers”.').waitFor();

    await dashboard.goTo(`${path}/templates`);
    await page.getByRole('link', { name: 'Our web servers' }).click();
    await page.getByLabel('Address').fill('192.0.2.9');
    await press('Preview changes');
    await press('Apply template');
    await page.getByText('Our web servers was applied').waitFor();
    expect(await contents()).toEqual(['@ A 192.0.2.9', `www CNAME ${name}`]);
  });

  it('adds several records at once, keeping those that exist', async () => {
    await add({ type: 'A', name: '@', content: '192.0.2.1' });
    await dashboard.goTo(`${path}/records`);
    await page.getByText('Add several records', { exact: true }).click();
    await page.locator('#several-text').fill('www A 192.0.2.2\nwww BAD LINE');
    await press('Preview records');
    await page.getByText('line 2: BAD is not a record type').waitFor();
    expect(await page.title()).toContain('Error: Add records to');
    await page.locator('#several-text:focus').waitFor();
    await page.locator('#several-text').fill(`www A 192.0.2.2\n@ MX 10 mail.${name}`);
    await press('Preview records');
    await page.getByText(`MX at @ points to mail.${name}.${name}, which repeats ${name}`).waitFor();
    await press('Add records');
    await page.getByText('The records were added: 2 added, 0 changed, 0 removed.').waitFor();
    expect(await contents()).toEqual(['@ A 192.0.2.1', `@ MX mail.${name}.${name}`, 'www A 192.0.2.2']);
  });

  it('shows the full name and warnings while the user types, and again after saving', async () => {
    await add({ type: 'TXT', name: '@', content: 'v=spf1 -all' });
    await dashboard.goTo(`${path}/records`);
    await page.getByText('Add a record', { exact: true }).click();
    await page.locator('#new-type').selectOption('CNAME');
    await page.locator('#new-name').fill('shop');
    expect(await page.locator('[data-full-name]').first().textContent()).toBe(`→ shop.${name}`);
    await page.locator('#new-content').fill(`missing.${name}`);
    await page.getByText('which has no records in this zone').waitFor();
    await expectAccessible();
    await page.locator('#new-type').selectOption('TXT');
    await page.locator('#new-name').fill('@');
    await page.locator('#new-content').fill('v=spf1 mx ~all');
    await page.getByText('has 2 SPF records').waitFor();
    await press('Add record');
    await page.locator('.alert.warning', { hasText: 'has 2 SPF records' }).waitFor();
  });

  it('duplicates a record and shows it as a line of a zone file', async () => {
    const { body } = await add({ type: 'MX', name: '@', content: 'mail.example.net', priority: 10 });
    await dashboard.goTo(`${path}/records?edit=${body.id}`);
    expect(await page.locator(`#${body.id}-line`).textContent()).toBe(`${name}. 3600 IN MX 10 mail.example.net.`);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.locator('#new-content').fill('mail2.example.net');
    await press('Add record');
    await page.getByText('Added MX @ mail2.example.net.').waitFor();
    expect(await contents()).toEqual(['@ MX mail.example.net', '@ MX mail2.example.net']);
    await press('Undo');
    await page.getByText('Deleted MX @ mail2.example.net.').waitFor();
  });

  it('writes SPF and DMARC records by forms', async () => {
    await add({ type: 'TXT', name: '@', content: 'v=spf1 include:old.example ~all' });
    await dashboard.goTo(`${path}/mail`);
    await expectAccessible();
    expect(await page.locator('#includes').inputValue()).toBe('old.example');
    await page.locator('#includes').fill('_spf.google.com');
    await page.getByLabel('Addresses and networks').fill('192.0.2.300');
    await page.getByRole('button', { name: 'Preview record' }).first().click();
    await page.locator('#networks[aria-invalid]').waitFor();
    await page.getByLabel('Addresses and networks').fill('192.0.2.0/24');
    await press('Preview record');
    await expectAccessible();
    await press('Save record');
    await page.getByText('Saved the SPF record.').waitFor();

    await dashboard.goTo(`${path}/mail`);
    await page.getByLabel('Refuse it (reject)').check();
    await page.getByLabel('Send reports to').fill(`dmarc@${name}`);
    await page.getByRole('button', { name: 'Preview record' }).last().click();
    await press('Save record');
    await page.getByText('Saved the DMARC record.').waitFor();
    expect(await contents()).toEqual([
      '@ TXT v=spf1 ip4:192.0.2.0/24 include:_spf.google.com ~all',
      `_dmarc TXT v=DMARC1; p=reject; rua=mailto:dmarc@${name}`,
    ]);
  });

  it('opens a palette that finds domains, their pages and actions by keyboard', async () => {
    await dashboard.goTo('/settings');
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search everything' });
    await search.waitFor();
    await search.fill(`${name} rec`);
    await page.getByRole('option', { name: `${name}: DNS records` }).waitFor();
    await expectAccessible();
    expect(await search.getAttribute('aria-activedescendant')).toBe('palette-0');
    await page.keyboard.press('ArrowDown');
    expect(await search.getAttribute('aria-activedescendant')).toBe('palette-1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${path}/records`);

    await page.keyboard.press('Control+k');
    await search.fill('nothing that exists');
    await page.getByText('Nothing matches “nothing that exists”.').waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });
  });

  it('has shortcuts of single keys, not while the user types, and a switch for them', async () => {
    await add({ type: 'A', name: 'one', content: '192.0.2.1' });
    await add({ type: 'A', name: 'two', content: '192.0.2.1' });
    await dashboard.goTo(`${path}/records`);
    const focusedName = () => page.evaluate(() => document.activeElement?.getAttribute('name'));

    await page.keyboard.press('/');
    expect(await focusedName()).toBe('q');
    await page.keyboard.type('c/j');
    expect(await page.locator('#q').inputValue()).toBe('c/j');
    await dashboard.goTo(`${path}/records`);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('two');
    await page.keyboard.press('e');
    await page.locator('.editing [name=content]').waitFor();
    await dashboard.goTo(`${path}/records`);
    await page.keyboard.press('c');
    expect(await focusedName()).toBe('type');

    await dashboard.goTo('/settings');
    await page.keyboard.press('?');
    await page.getByLabel('Use shortcuts of a single key').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await page.keyboard.press('?');
    expect(page.url()).toMatch(/\/settings$/);
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await page.evaluate(() => localStorage.clear());
  });

  it('moves the focus to the first error, which the title names, and to the next record after one was added', async () => {
    await dashboard.goTo(`${path}/records#new`);
    await page.locator('#new-name').fill('www');
    await page.locator('#new-content').fill('no address');
    await press('Add record');
    await page.locator('#new-content[aria-invalid]:focus').waitFor();
    expect(await page.title()).toBe(`Error: DNS records of ${name} · Namewright`);
    await page.locator('#new-content').fill('192.0.2.1');
    await press('Add record');
    await page.locator('#new-name:focus[aria-describedby~="notice"]').waitFor();
    await page.locator('#notice', { hasText: 'Added A www 192.0.2.1.' }).waitFor();
    expect(await page.title()).toBe(`DNS records of ${name} · Namewright`);
  });

  it('shows nameservers before and after, with the consequence, and undoes the change', async () => {
    await add({ type: 'A', name: '@', content: '192.0.2.1' });
    const nameservers = async () => (await client.get(`/api${path}`).expect(200)).body.nameservers;
    const before = await nameservers();
    await dashboard.goTo(`${path}/nameservers`);
    await page.getByLabel('Nameservers, one per line').fill('ns1.elsewhere.test');
    await press('Preview change');
    await page.locator('#nameservers[aria-invalid]').waitFor();
    await page.getByLabel('Nameservers, one per line').fill('ns1.elsewhere.test\nns2.elsewhere.test');
    await press('Preview change');
    await page.getByText(`The DNS record of ${name} here will no longer be used`).waitFor();
    expect(await page.locator('ins').allTextContents()).toEqual(['ns1.elsewhere.test', 'ns2.elsewhere.test']);
    expect(await page.locator('del').allTextContents()).toEqual(before);
    await expectAccessible();
    await press('Change nameservers');
    await page.getByText('The nameservers were changed. The DNS records here are no longer used').waitFor();
    expect(await nameservers()).toEqual(['ns1.elsewhere.test', 'ns2.elsewhere.test']);

    await press('Undo');
    await page.getByText('Resolvers will use the DNS records here within two days').waitFor();
    expect(await nameservers()).toEqual(before);
    await dashboard.goTo(`${path}/nameservers?nameservers=ns1.elsewhere.test+ns2.elsewhere.test`);
    await press('Change nameservers');
    await dashboard.goTo(`${path}/nameservers`);
    await page.getByRole('link', { name: 'Use the nameservers of this service' }).click();
    await page.getByText('Check the new and the present nameservers first').waitFor();
  });
});
