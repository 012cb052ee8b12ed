import type { Browser, Locator, Page } from 'playwright-core';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { aUser } from '../support/dashboard/dashboard-client';
import { describeOrSkip } from '../support/describe-or-skip';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';
import { waitForOperation } from '../support/service/wait-for-operation';

const TRANSFERRED = 200;
const EXPIRING = 12;
const AT_ONCE = 10;
const MOST_BYTES = 60 * 1_024;
/** One line each, as someone types them. */
const TEN_RECORDS = Array.from({ length: 10 }, (_, index) => `host-${index} 300 A 192.0.2.${index + 1}`);

const NEW_OWNER = [
  ['Last name', 'Hopper'],
  ['E-mail', 'grace@example.com'],
  ['Phone', '+1 212 555 0100'],
  ['Street', '1 Harbour Street'],
  ['City', 'New York'],
] as const;

/** Counts what a person does: clicks, choices, and fields or lines that are filled in. */
class Journey {
  interactions = 0;

  constructor(readonly page: Page) {}

  async do(act: (target: Locator) => Promise<unknown>, target: Locator): Promise<void> {
    await act(target);
    this.interactions += 1;
  }

  click(target: Locator): Promise<void> {
    return this.do((each) => each.click(), target);
  }
}

async function expectFit(page: Page): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  expect((await page.content()).length).toBeLessThanOrEqual(MOST_BYTES);
}

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

async function untilFinished(page: Page): Promise<void> {
  while (/[1-9]\d* remaining/.test((await page.locator('#bulk-job').textContent()) ?? '')) {
    await page.waitForTimeout(200);
    await page.reload();
  }
}

describeOrSkip(CHROMIUM_MISSING)('journeys with many names and records on a phone', () => {
  let service: TestService;
  let browser: Browser;
  let client: Api;
  let email: string;
  let first: string;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    browser = await startChromium();
    const accountId = await service.account();
    email = await aUser(service, accountId);
    client = api(service, await service.key(accountId));
    const names = Array.from({ length: EXPIRING }, (_, index) => `expiring-${index}.com`);
    first = '';
    for (const name of names) first = await registered(client, name);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** With scripts only for what measures a page. */
  const begin = async (
    path: string,
    { javaScriptEnabled = false, by = email } = {},
  ): Promise<{ readonly dashboard: DashboardBrowser; readonly journey: Journey }> => {
    const viewport = { width: 390, height: 844 };
    const dashboard = await DashboardBrowser.open(browser, service, { javaScriptEnabled, viewport });
    await dashboard.signIn(by);
    await dashboard.goTo(path);
    return { dashboard, journey: new Journey(dashboard.page) };
  };

  it('renew the 12 domains that expire in four interactions and the control of a phone', async () => {
    await client.post('/api/sandbox/advance', { days: 300 }).expect(200);
    const { dashboard, journey } = await begin('/');
    const { page } = journey;

    await journey.click(page.locator('.expiry-strip a').first());
    await page.getByRole('button', { name: 'Change several' }).click();
    await journey.click(page.getByRole('link', { name: `Select all ${EXPIRING}` }));
    await journey.click(page.getByRole('button', { name: 'Continue' }));
    await journey.click(page.getByRole('button', { name: /^Renew 12 domains for \$/ }));

    expect(journey.interactions).toBeLessThanOrEqual(4);
    await untilFinished(page);
    expect(await page.locator('#bulk-job').textContent()).toContain('12 done, 0 failed, 0 remaining');
    expect(await dashboard.close()).toEqual([]);
  });

  it('transfer 200 names from another registrar in six interactions', async () => {
    const names = Array.from({ length: TRANSFERRED }, (_, index) => `moving-in-${index}.com`);
    const lines: string[] = [];
    for (let from = 0; from < names.length; from += AT_ONCE)
      await Promise.all(
        names.slice(from, from + AT_ONCE).map(async (name) => {
          const { body } = await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200);
          lines.push(`${name},${body.auth_code}`);
        }),
      );
    const { dashboard, journey } = await begin('/transfers');
    const { page } = journey;

    await journey.click(page.getByRole('link', { name: 'Transfer several' }));
    await journey.do(
      (field) => field.fill([...lines, 'no-one.com,S3cret'].join('\n')),
      page.getByLabel('Names and auth codes'),
    );
    await journey.do((field) => field.selectOption({ index: 0 }), page.getByLabel('Registrant', { exact: true }));
    await journey.click(page.getByRole('button', { name: 'Review transfers' }));
    expect(await page.getByRole('row', { name: /201 .*no-one\.com .*is not registered/ }).count()).toBe(1);
    expect(await page.content()).not.toContain('S3cret');
    await journey.click(page.getByRole('button', { name: 'Transfer 200 domains for $2,088.00' }));

    expect(journey.interactions).toBeLessThanOrEqual(6);
    await untilFinished(page);
    expect(await page.locator('#bulk-job').textContent()).toContain('200 done, 0 failed, 0 remaining');
    expect(await dashboard.close()).toEqual([]);
  });

  it('offer a name to another account, which finds the offer and accepts it with another registrant', async () => {
    const takerId = await service.account();
    const taker = api(service, await service.key(takerId));
    const id = await registered(client, 'given-away.com');
    const { dashboard: giving, journey } = await begin(`/domains/${id}`);
    const { page } = journey;

    await page.locator('.danger-zone').getByRole('link', { name: 'Move', exact: true }).click();
    expect(await page.locator('main').textContent()).toContain('Nothing changes until the other account accepts');
    await page.getByLabel('Id of the other account').fill(takerId);
    await page.getByLabel('Reason, which the other account sees').fill('The shop was sold');
    await page.getByLabel('Type given-away.com to confirm').fill('given-away.com');
    await page.getByRole('button', { name: 'Offer given-away.com' }).click();
    await page.getByText('given-away.com is offered. It stays here until it is accepted.').waitFor();

    const { dashboard: taking, journey: other } = await begin('/notifications', { by: await aUser(service, takerId) });
    await other.page.getByRole('link', { name: 'Another account offers you given-away.com' }).click();
    expect(await other.page.locator('main').textContent()).toContain('The shop was sold');
    await other.page.getByText('Accept with another registrant', { exact: true }).click();
    for (const [label, value] of NEW_OWNER) await other.page.getByLabel(label, { exact: true }).fill(value);
    await other.page.getByLabel('Country').selectOption('US');
    await other.page.getByRole('button', { name: 'Accept with this registrant' }).click();
    await other.page.getByText('given-away.com is in this account now.').waitFor();

    await waitForOperation(taker, id, 'succeeded');
    const { body } = await taker.get(`/api/domains/${id}`).expect(200);
    expect(body.contacts.registrant).toMatchObject({ last_name: 'Hopper', email: 'grace@example.com' });
    await page.reload();
    expect(await page.locator('main').textContent()).toContain('by the other account');
    expect(await giving.goTo(`/domains/${id}`)).toBe(404);
    expect([...(await giving.close()), ...(await taking.close())]).toEqual([]);
  });

  it('add ten records in fourteen interactions, a typed line counted as one', async () => {
    const { dashboard, journey } = await begin(`/domains/${first}/records`);
    const { page } = journey;

    await journey.click(page.getByText('Add several records', { exact: true }));
    for (const line of TEN_RECORDS)
      await journey.do((field) => field.pressSequentially(`${line}\n`), page.getByLabel('Records', { exact: true }));
    await journey.click(page.getByRole('button', { name: 'Preview records' }));
    await journey.click(page.getByRole('button', { name: 'Add records' }));

    expect(journey.interactions).toBeLessThanOrEqual(14);
    expect(await page.locator('main').textContent()).toContain('10 added, 0 changed, 0 removed');
    expect(await dashboard.close()).toEqual([]);
  });

  it('import the zone files of many names with one review in five interactions', async () => {
    const { dashboard, journey } = await begin('/add');
    const { page } = journey;
    const files = Array.from({ length: EXPIRING }, (_, index) =>
      fileOf(`expiring-${index}.com.zone`, `imported 300 IN A 192.0.2.${index + 100}\n`),
    );
    const elsewhere = fileOf('elsewhere.example.txt', 'www A 192.0.2.1\n');

    await journey.click(page.getByRole('link', { name: 'Import zone files' }));
    await journey.do((field) => field.check(), page.getByLabel('Keep them'));
    await journey.do(
      (field) => field.setInputFiles([...files, elsewhere]),
      page.getByLabel('Zone files, or an archive'),
    );
    await journey.click(page.getByRole('button', { name: 'Review changes' }));
    await page.getByRole('row', { name: /expiring-3\.com .*1/ }).waitFor();
    await page.getByRole('row', { name: /elsewhere\.example\.txt .*neither the name/ }).waitFor();
    await journey.click(page.getByRole('button', { name: `Import ${EXPIRING} zones` }));

    expect(journey.interactions).toBeLessThanOrEqual(5);
    await untilFinished(page);
    expect(await page.locator('#bulk-job').textContent()).toContain(`${EXPIRING} done, 0 failed, 0 remaining`);
    const { body } = await client.get(`/api/domains/${first}/dns/records`).expect(200);
    expect(body).toContainEqual(expect.objectContaining({ name: 'imported', content: `192.0.2.${EXPIRING + 99}` }));
    expect(await dashboard.close()).toEqual([]);
  });

  it('keep the form of a record open after it was added, with its type and the focus in the name', async () => {
    const { dashboard, journey } = await begin(`/domains/${first}/records`, { javaScriptEnabled: true });
    const { page } = journey;
    const form = page.locator('details[data-create]');
    if ((await form.getAttribute('open')) === null) await page.getByText('Add a record', { exact: true }).click();
    for (const host of ['one', 'two']) {
      await form.getByLabel('Type', { exact: true }).selectOption('AAAA');
      await form.getByLabel('Name', { exact: true }).fill(host);
      await form.getByLabel('Content').fill('2001:db8::1');
      await form.getByLabel('Content').press('Enter');

      expect(await form.getAttribute('open')).not.toBeNull();
      expect(await form.getByLabel('Type', { exact: true }).inputValue()).toBe('AAAA');
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name');
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('');
      await expectFit(page);
    }
    await page.reload();

    expect(await form.getAttribute('open')).toBeNull();
    expect(await dashboard.close()).toEqual([]);
  });

  it('set up a website at an address, with www, in four interactions', async () => {
    const { dashboard, journey } = await begin(`/domains/${first}/records`);
    const { page } = journey;

    await journey.click(page.getByRole('link', { name: 'Website', exact: true }));
    await journey.do((field) => field.fill('192.0.2.80'), page.getByLabel('IPv4 address'));
    await journey.click(page.getByRole('button', { name: 'Preview changes' }));
    await journey.click(page.getByRole('button', { name: 'Apply template' }));

    expect(journey.interactions).toBeLessThanOrEqual(4);
    const { body } = await client.get(`/api/domains/${first}/dns/records`).expect(200);
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'A', name: '@', content: '192.0.2.80' }),
        expect.objectContaining({ type: 'CNAME', name: 'www' }),
      ]),
    );
    expect(await dashboard.close()).toEqual([]);
  });

  it('have pages without an axe finding, without sideways scrolling and of at most 60 KiB', async () => {
    const { dashboard, journey } = await begin('/transfers/several', { javaScriptEnabled: true });
    const { page } = journey;
    const { body } = await client.post('/api/sandbox/other-registrar/domains', { name: 'measured.com' }).expect(200);
    await expectFit(page);
    await page.getByRole('button', { name: 'Review transfers' }).click();
    await expectFit(page);
    const longest = Array.from({ length: 499 }, (_, index) => `not-registered-anywhere-${index}.com,${'x'.repeat(24)}`);
    await page.getByLabel('Names and auth codes').fill([`measured.com,${body.auth_code}`, ...longest].join('\n'));
    await page.getByLabel('Registrant', { exact: true }).selectOption({ index: 0 });
    await page.getByRole('button', { name: 'Review transfers' }).click();
    await expectFit(page);
    await page.getByRole('button', { name: /^Transfer 1 domain for/ }).click();
    await page.getByText('1 done, 0 failed, 0 remaining').waitFor();
    await expectFit(page);
    await dashboard.goTo('/zone-files');
    await expectFit(page);
    const buffer = Buffer.from('measured 300 A 192.0.2.1');
    const texts = ['expiring-0.com.zone', 'none.example'].map((name) => ({ name, mimeType: 'text/plain', buffer }));
    await page.getByLabel('Zone files, or an archive').setInputFiles(texts);
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Import 1 zone' }).waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Import 1 zone' }).click();
    await page.getByText('1 done, 0 failed, 0 remaining').waitFor();
    await expectFit(page);
    for (const path of ['records', 'templates/website', 'templates/website?address=192.0.2.81']) {
      await dashboard.goTo(`/domains/${first}/${path}`);
      await expectFit(page);
    }
    expect(await dashboard.close()).toEqual([]);
  });
});
