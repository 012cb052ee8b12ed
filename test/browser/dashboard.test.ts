import type { Browser } from 'playwright-core';
import { UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../src/domain/access/actor';
import { Operation } from '../../src/domain/registration/operations/operation';
import { addDays } from '../../src/domain/shared/time/calendar';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';
import { aUser, PASSWORD } from '../support/dashboard/dashboard-client';

const EVIL = '<img src=x onerror=alert(1)>';

describeOrSkip(CHROMIUM_MISSING)('the dashboard in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let accountId: string;
  let email: string;
  let client: Api;
  let dashboard: DashboardBrowser;
  let serial = 0;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    browser = await startChromium();
    accountId = await service.account();
    email = await aUser(service, accountId);
    client = api(service, await service.key(accountId));
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  beforeEach(async () => {
    dashboard = await DashboardBrowser.open(browser, service);
  });

  /** No test may cause a console error, a CSP violation or a request to another host. */
  afterEach(async () => {
    expect(await dashboard.close()).toEqual([]);
  });

  const freshName = () => `browser-${(serial += 1)}.com`;
  const statusWith = async (key: string) =>
    (await fetch(`${dashboard.address}/api/domains`, { headers: { Authorization: `Bearer ${key}` } })).status;

  it('creates, uses and revokes an API key with the keyboard alone', async () => {
    const { page } = dashboard;
    await dashboard.goTo('/sign-in');
    // Autofocus takes effect when the page is rendered, which can be after its load.
    await page.locator('[name=email]:focus').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${dashboard.address}/`);

    const press = async (name: RegExp) => {
      for (let tabs = 0; tabs < 60; tabs += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
        if (name.test(focused.trim())) return page.keyboard.press('Enter');
      }
      throw new Error(`${name} cannot be reached with the Tab key`);
    };
    await press(/^API keys$/);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await press(/^Create key$/);
    await page.getByRole('heading', { name: 'New key' }).waitFor();
    const tabTo = async (field: string): Promise<void> => {
      while (!(await page.evaluate((name) => document.activeElement?.getAttribute('name') === name, field)))
        await page.keyboard.press('Tab');
    };
    await tabTo('purpose');
    await page.keyboard.press('ArrowUp');
    await tabTo('name');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    const key = (await page.locator('#new-key').textContent()) ?? '';
    expect(await statusWith(key)).toBe(200);

    await press(/^Done/);
    await page.getByRole('row', { name: /By keyboard/ }).waitFor();
    await press(/^Revoke By keyboard$/);
    await press(/^Revoke this key$/);
    await page.getByRole('status').getByText('is revoked').waitFor();

    expect(await statusWith(key)).toBe(401);
  });

  it('searches, reviews and registers a name, and shows progress until it is active', async () => {
    await registered(client, freshName());
    const { page } = await dashboard.signIn(email);
    const label = `found-${(serial += 1)}`;

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Add a name' }).click();
    await page.getByRole('link', { name: 'Register a new name' }).click();
    await page.getByRole('searchbox', { name: 'Name' }).fill(label);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: `Register ${label}.com` }).click();
    await page.getByLabel('Term').selectOption('2');
    await page.getByLabel('Organization').fill(EVIL);
    await page.getByRole('button', { name: 'Review order' }).click();
    await page.getByText('2 years', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Register for $20.88' }).click();
    await page.getByRole('heading', { name: `${label}.com is registered` }).waitFor();
    await page.getByRole('link', { name: 'View domain' }).click();

    await page.getByText(EVIL).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('follows a registration by one stream, without announcements or focus changes until its outcome is known', async () => {
    const name = freshName();
    const domainId = await registered(client, name);
    const unitOfWork = service.container.get(UnitOfWork);
    const operation = Operation.queue(
      {
        id: 'op_followed',
        accountId,
        domainId,
        actor: OPERATOR,
        request: { kind: 'register', years: 1, price: { minor: 1, currency: 'USD' } },
      },
      new Date(),
    );
    operation.begin('worker-1', new Date(), new Date());
    operation.markOutcomeUnknown({ code: 'REGISTRY_UNAVAILABLE', message: 'no answer' }, 0, addDays(new Date(), 1)); // in the future, so that the worker leaves it alone
    await unitOfWork.run(({ operations }) => operations.add(operation));
    const { page } = await dashboard.signIn(email);
    await page.clock.install();
    await dashboard.goTo('/register/progress/op_followed');
    await page.getByRole('link', { name: 'Go to domains' }).focus();
    const announcements: string[] = [];
    await page.exposeFunction('spoken', (text: string) => announcements.push(text));
    await page
      .getByRole('status')
      .evaluate((status) =>
        new MutationObserver(
          () =>
            void (window as unknown as { spoken: (text: string) => Promise<void> }).spoken(status.textContent ?? ''),
        ).observe(status, { childList: true, characterData: true, subtree: true }),
      );

    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const _ of [1, 2, 3]) {
      const loaded = page.waitForResponse(/progress\/op_followed/);
      await page.locator('[data-live]').dispatchEvent('news');
      await loaded;
    }
    expect(asked.filter((path) => path === '/live').length).toBeLessThanOrEqual(1);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Go to domains');
    expect(announcements).toEqual([]);
    operation.succeed(new Date());
    await unitOfWork.run(({ operations }) => operations.save(operation));
    await page.getByRole('status').getByText(`${name} is registered`).waitFor();
    await page.getByRole('link', { name: 'Add DNS records' }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.clock.runFor(5_000);

    expect(announcements).not.toEqual([]);
    expect(announcements.filter((text) => !text.startsWith(`${name} is registered`))).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('adds a record of each type, edits one, deletes one and undoes that', async () => {
    const id = await registered(client, freshName());
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains/${id}/records`);
    const add = async (type: string, fields: Record<string, string>) => {
      const form = page.locator('details[data-create]');
      if ((await form.getAttribute('open')) === null) await form.locator('summary').click();
      await form.getByLabel('Type').selectOption(type);
      for (const [label, value] of Object.entries(fields)) {
        const field = form.getByLabel(label, { exact: true });
        await ((await field.evaluate((element) => element.tagName)) === 'SELECT'
          ? field.selectOption(value)
          : field.fill(value));
      }
      await form.getByRole('button', { name: 'Add record' }).click();
      await page.getByRole('status').getByText(`Added ${type}`).waitFor();
    };

    await add('A', { Name: 'www', Content: '192.0.2.1' });
    await add('AAAA', { Name: 'www', Content: '2001:db8::1' });
    await add('CNAME', { Name: 'alias', Content: 'www.example.net' });
    await add('MX', { Name: '@', Content: 'mail.example.net', Priority: '10' });
    await add('TXT', { Name: '@', Content: EVIL });
    await add('NS', { Name: 'lab', Content: 'ns1.example.net' });
    await add('SRV', { Name: '_sip._tcp', Content: 'sip.example.net', Priority: '1', Weight: '2', Port: '5060' });
    await add('CAA', { Name: '@', Flags: '128', Tag: 'issue', Value: 'ca.example.net' });
    const stored = async () => (await client.get(`/api/domains/${id}/dns/records`).expect(200)).body;
    expect((await stored()).map(({ type }: { type: string }) => type)).toEqual([
      'A',
      'AAAA',
      'CNAME',
      'MX',
      'TXT',
      'NS',
      'SRV',
      'CAA',
    ]);
    expect(await page.locator('main img').count()).toBe(0);

    await page.getByRole('link', { name: 'Edit A www' }).click();
    await page.locator('.editing').getByLabel('Content', { exact: true }).fill('not an address');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A content must be an IPv4 address').waitFor();
    await page.locator('.editing').getByLabel('Content', { exact: true }).fill('192.0.2.9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved A www 192.0.2.9').waitFor();

    await page.getByRole('button', { name: 'Delete CAA @' }).click();
    await page.getByRole('status').getByText('Deleted CAA').waitFor();
    expect(await stored()).toHaveLength(7);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('Added CAA').waitFor();
    expect((await stored()).at(-1)).toMatchObject({ type: 'CAA', content: '128 issue "ca.example.net"' });

    await page.waitForLoadState(); // until when the filter has no script
    await page.getByRole('searchbox', { name: 'Search' }).fill('sip');
    await page.getByRole('link', { name: 'Edit A www' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Edit SRV _sip._tcp' }).waitFor();
  });

  it('filters domains while typing, and announces their number in a live region that stays', async () => {
    const [one, other] = [freshName(), freshName()];
    for (const name of [one, other]) await registered(client, name);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo('/domains');
    const region = await page.getByRole('status').elementHandle();

    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like this');
    await page.getByRole('status').getByText('No domains', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill(one);
    await page.getByRole('status').getByText('1 domain', { exact: true }).waitFor();

    await page.getByRole('link', { name: other }).waitFor({ state: 'detached' });
    expect(await region?.evaluate(({ isConnected }) => isConnected)).toBe(true);
    expect(await page.locator('#results[aria-live], [aria-live] #results').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(`/domains.csv?q=${one}`);
    await page.getByRole('link', { name: one }).click();
    await page.getByRole('heading', { name: one }).waitFor();
  });

  it('shows the result of the last filter although an earlier response is outstanding', async () => {
    const [one, other] = [freshName(), freshName()];
    for (const name of [one, other]) await registered(client, name);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo('/domains');
    const requested = new Promise<void>((resolve) => void page.route('**/domains?q=browser-&*', () => resolve()));

    await page.getByRole('searchbox', { name: 'Search' }).fill('browser-');
    await requested; // and never respond
    await page.getByRole('searchbox', { name: 'Search' }).fill(other);
    await page.getByRole('searchbox', { name: 'Search' }).fill(one);

    await page.getByRole('link', { name: other }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: one }).waitFor();
  });

  it('keeps the list and says that it is outdated if the service fails', async () => {
    const [one, other] = [freshName(), freshName()];
    for (const name of [one, other]) await registered(client, name);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo('/domains');
    await page.route('**/domains?q=*', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<main>Not ready</main>' }),
    );

    await page.getByRole('searchbox', { name: 'Search' }).fill(one);
    await page.getByRole('status').getByText('could not be updated').waitFor();
    await page.getByRole('link', { name: other }).waitFor();
    await page.unrouteAll();
    await page.getByRole('searchbox', { name: 'Search' }).press('Enter');

    await page.getByRole('link', { name: other }).waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('1 domain', { exact: true }).waitFor();
  });

  it('returns to the filtered list after a new sign-in', async () => {
    const name = freshName();
    await registered(client, name);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains?q=${name}`);
    await page.context().clearCookies();

    await page.getByText('Filters', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('active');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.waitForURL(`${dashboard.address}/domains?q=${name}`);
    await page.getByRole('link', { name }).waitFor();
  });

  it('turns the transfer lock off and renews', async () => {
    const id = await registered(client, freshName());
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains/${id}`);

    await page.getByRole('switch', { name: /Transfer lock/ }).click();
    await page.getByRole('switch', { name: /Transfer lock/, checked: false }).waitFor();
    await page.getByRole('link', { name: 'Renew now' }).click();
    await page.waitForURL(/\/renew$/);
    await page.getByLabel('Term').selectOption('3');
    await page.getByRole('button', { name: 'Renew for $31.32' }).click();
    await page
      .getByRole('status')
      .getByText(/was renewed until/)
      .waitFor();

    expect((await client.get(`/api/domains/${id}`)).body.transfer_locked).toBe(false);
  });

  it('invites a member, who cannot manage API keys, and signs out everywhere', async () => {
    const { page } = await dashboard.signIn(email);
    const invited = await DashboardBrowser.open(browser, service);
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByLabel('E-mail').fill('second@example.com');
    await page.getByRole('button', { name: 'Create set-up link' }).click();
    const link = (await page.locator('#setup-link').textContent()) ?? '';

    await invited.page.goto(link);
    await invited.page.getByLabel('Password').fill('seven quiet harbors');
    await invited.page.getByRole('button', { name: 'Set password' }).click();
    await invited.page.getByRole('status').getByText('Your password was set').waitFor();
    await invited.page.getByRole('link', { name: 'API keys' }).click();
    await invited.page.getByText('Creating and revoking them is reserved to owners').waitFor();
    expect(await invited.page.getByRole('link', { name: 'Create key' }).count()).toBe(0);
    await invited.goTo('/api-keys/new');
    await invited.page.getByRole('heading', { name: 'Not allowed' }).waitFor();

    const elsewhere = await (
      await DashboardBrowser.open(browser, service)
    ).signIn('second@example.com', 'seven quiet harbors');
    await invited.goTo('/settings');
    await invited.page.getByText('Sign out everywhere', { exact: true }).click();
    await invited.page.getByRole('button', { name: 'End all sessions' }).click();
    await invited.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await elsewhere.goTo('/');
    await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect([...(await invited.close()), ...(await elsewhere.close())]).toEqual([]);
  });

  it('copies a new key to the clipboard', async () => {
    const { page } = await dashboard.signIn(email);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dashboard.goTo('/api-keys/new');
    await page.getByRole('radio', { name: 'Something else' }).check();
    await page.getByLabel('Name', { exact: true }).fill(EVIL);
    await page.getByRole('button', { name: 'Create key' }).click();

    await page.getByRole('button', { name: 'Copy the new key' }).click();

    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await page.locator('#new-key').textContent(),
    );
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('works without scripts: manages an API key, adds a record and undoes its deletion', async () => {
    const id = await registered(client, freshName());
    const scriptless = await DashboardBrowser.open(browser, service, { javaScriptEnabled: false });
    const { page } = await scriptless.signIn(email);

    await scriptless.goTo('/api-keys/new');
    await page.getByRole('radio', { name: 'Something else' }).check();
    await page.getByLabel('Name', { exact: true }).fill('Without scripts');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = ((await page.locator('#new-key').textContent()) ?? '').trim();
    expect(await statusWith(key)).toBe(200);
    await page.getByRole('link', { name: /Done/ }).click();
    const row = page.getByRole('row', { name: /Without scripts/ });
    await row.getByText('Revoke', { exact: false }).first().click();
    await row.getByRole('button', { name: 'Revoke this key' }).click();
    await page.getByRole('status').getByText('is revoked').waitFor();
    expect(await statusWith(key)).toBe(401);

    await scriptless.goTo(`/domains/${id}/records`);
    const form = page.locator('details[data-create]');
    await form.getByLabel('Type').selectOption('MX');
    await form.getByLabel('Name', { exact: true }).fill('@');
    await form.getByLabel('Content', { exact: true }).fill('mail.example.net');
    await form.getByLabel('Priority').fill('10');
    await form.getByRole('button', { name: 'Add record' }).click();
    await page.getByRole('button', { name: 'Delete MX @' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Delete MX @' }).waitFor();
    expect(await scriptless.close()).toEqual([]);
  });
});
