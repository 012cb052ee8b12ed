import type { Browser } from 'playwright-core';
import { AddSecondary } from '../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../src/application/dns/publishing/create-tsig-key';
import { SecondaryDirectory } from '../../src/application/ports/dns/publishing';
import { seriousFindings } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { aUser } from '../support/dashboard/dashboard-client';
import { measureList } from '../support/dashboard/list-layout';
import { findMisfits } from '../support/dashboard/page-checks';
import { outOfOrder, readingOrder } from '../support/dashboard/reading-order';
import { StubNameserver } from '../support/nameservers/stub-nameserver';
import { api, registered, startService, type Api, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';

describeOrSkip(CHROMIUM_MISSING)('dashboard page fragments in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let client: Api;
  let dashboard: DashboardBrowser;
  let serial = 0;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    browser = await startChromium();
    const accountId = await service.account();
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
  afterEach(async () => {
    expect(await dashboard.close()).toEqual([]);
  });

  const freshName = () => `fragment-${(serial += 1)}.com`;

  it('keeps the page title when a fragment is loaded', async () => {
    const name = freshName();
    const id = await registered(client, name);
    const { page } = await dashboard.signIn(email);

    await dashboard.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();

    expect(await page.title()).toBe(`DNS records of ${name} · Namewright`);
  });

  it('moves the focus to a record that is edited in place, and keeps it when another fragment is loaded', async () => {
    const id = await registered(client, freshName());
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));

    await page.getByRole('link', { name: 'Edit A www' }).click();
    await page.locator('.editing [name=type]:focus').waitFor();
    await page.locator('.editing [name=content]').focus();
    await page.evaluate(async (url) => {
      await (
        globalThis as unknown as { htmx: { ajax: (method: string, url: string, how: object) => Promise<void> } }
      ).htmx.ajax('GET', url, { target: '#publication', select: '#publication', swap: 'outerHTML' });
    }, `/domains/${id}/publication`);

    expect(await focused()).toBe('content');
  });

  it('stays on a form that is being filled in if a fragment finds that the session has ended', async () => {
    const id = await registered(client, freshName());
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();
    await page.locator('#new-content').fill('192.0.2.7');
    await page.context().clearCookies();

    await page.evaluate(async (url) => {
      await (
        globalThis as unknown as { htmx: { ajax: (method: string, url: string, how: object) => Promise<void> } }
      ).htmx.ajax('GET', url, { target: '#publication', select: '#publication', swap: 'outerHTML' });
    }, `/domains/${id}/publication`);
    await page.locator('#new-name').fill('kept');
    await page.getByRole('button', { name: 'Add record', exact: true }).click();

    await page.getByText('Your entries are saved').waitFor();
  });

  it('begins the activity and the records above 420 pixels on a phone, even while two secondaries are behind', async () => {
    const id = await registered(client, freshName());
    for (const name of ['www', 'shop'])
      await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name, content: '192.0.2.1' }).expect(201);
    const servers = [await StubNameserver.start(), await StubNameserver.start()];
    try {
      await service.container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
      for (const [index, { port }] of servers.entries())
        await service.container
          .get(AddSecondary)
          .execute({ name: `secondary-${index}`, address: `127.0.0.1:${port}`, key: 'k', signs: false });
      const { page } = await dashboard.signIn(email);
      await page.setViewportSize({ width: 390, height: 844 });

      await dashboard.goTo('/activity');
      expect((await page.locator('main .card').first().boundingBox())?.y).toBeLessThan(420);
      await page.getByText('and 1 more like this').first().waitFor();
      expect(await seriousFindings(page, { runOnly: ['target-size'] })).toEqual([]);

      await dashboard.goTo(`/domains/${id}/records`);
      await page.locator('#publication').getByRole('link', { name: '0 of 2 nameservers' }).waitFor();
      expect((await measureList(page)).firstRow).toBeLessThan(420);
      const tools = page.locator('.record-tools');
      expect(await tools.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      await page.getByText('More tools for records').click();
      const last = await page.getByRole('link', { name: 'Connected services' }).boundingBox();
      expect((last?.x ?? 0) + (last?.width ?? 390)).toBeLessThan(390);
    } finally {
      const directory = service.container.get<SecondaryDirectory>(SecondaryDirectory);
      for (const secondary of await directory.all()) await directory.remove(secondary.name);
      for (const server of servers) server.stop();
    }
  });

  it('explains a term in a popover without scripts', async () => {
    const id = await registered(client, freshName());
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const withoutScripts = await DashboardBrowser.open(browser, service, { javaScriptEnabled: false });
    const { page } = await withoutScripts.signIn(email);
    for (const [path, term, text] of [
      [`/domains/${id}/records`, 'TTL', 'How many seconds resolvers may keep a record'],
      [`/domains/${id}`, 'Delegation', 'The NS records of the parent zone'],
      ['/transfers/several', 'Auth code', 'A password of the domain'],
      ['/nameservers', 'Secondary', 'A nameserver that copies the zones'],
    ] as const) {
      await withoutScripts.goTo(path);
      expect(await page.getByText(text).isVisible()).toBe(false);
      await page.getByRole('button', { name: `Explain ${term}` }).click();
      await page.getByText(text).waitFor();
    }
    expect(await withoutScripts.close()).toEqual([]);
  });

  it('is read in the order in which it is seen, by the accessibility tree', async () => {
    const id = await registered(client, freshName());
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const { page } = await dashboard.signIn(email);
    for (const width of [1_280, 390])
      for (const path of ['/', '/domains', `/domains/${id}`, `/domains/${id}/records`]) {
        await page.setViewportSize({ width, height: 900 });
        await dashboard.goTo(path);
        await page.waitForLoadState('networkidle');
        const read = await readingOrder(page);

        expect(read.length).toBeGreaterThan(10);
        expect(outOfOrder(read).map((pair) => `${path} at ${width}: ${pair}`)).toEqual([]);
      }
  });

  it.each([1_280, 1_440])('has the tools and the search of records in one line at %i pixels', async (width) => {
    const id = await registered(client, freshName());
    const lines = Array.from({ length: 60 }, (_, index) => `host-${index} 3600 IN A 192.0.2.1\n`);
    await client.put(`/api/domains/${id}/dns/zonefile`, lines.join('')).set('Content-Type', 'text/dns').expect(200);
    const { page } = await dashboard.signIn(email);
    await page.setViewportSize({ width, height: 900 });
    await dashboard.goTo(`/domains/${id}/records`);
    const bar = page.locator('.record-bar');
    const middles = await bar
      .locator(':is(summary, a, input[type=search], select, .list-status):visible:not(.tool-menu *, details form *)')
      .evaluateAll((controls) =>
        controls.map((control) => {
          const { top, bottom } = control.getBoundingClientRect();
          return (top + bottom) / 2;
        }),
      );

    expect(middles.length).toBe(8);
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);

    await page.getByText('More tools for records').click();
    const menu = await page.getByRole('link', { name: 'Use a template' }).boundingBox();
    const button = await page.getByText('More tools for records').boundingBox();
    expect(Math.abs((menu?.x ?? 0) - (button?.x ?? 0))).toBeLessThan(40);
    await page.getByText('Add a record', { exact: true }).click();
    const [form, search] = [await page.locator('#new-name').boundingBox(), await page.locator('#q').boundingBox()];
    expect(form?.y).toBeGreaterThan((search?.y ?? 0) + 30);
  });

  it('fits the records and their tools into 320 pixels, which are 1280 at 400 %', async () => {
    const id = await registered(client, freshName());
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const { page } = await dashboard.signIn(email);
    await page.setViewportSize({ width: 320, height: 740 });
    await dashboard.goTo(`/domains/${id}/records`);
    await page.locator('#publication').waitFor();

    expect(await findMisfits(page)).toEqual([]);
    await page.getByText('More tools for records').click();
    expect(await findMisfits(page)).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('has who made a version of the zone in one line at 1280 pixels', async () => {
    const id = await registered(client, freshName());
    await client
      .post(`/api/domains/${id}/dns/records`, { type: 'TXT', name: '@', content: 'a text '.repeat(30) })
      .expect(201);
    const { page } = await dashboard.signIn(email);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await dashboard.goTo(`/domains/${id}/history`);

    const texts = await page.locator('td[data-label=By] > *').evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
      }),
    );

    expect(texts.length).toBeGreaterThan(1);
    expect(texts.filter((lines) => lines !== 1)).toEqual([]);
  });

  it('shows a picture of the kind of data beside each type, and that of the type that is chosen in the form', async () => {
    const id = await registered(client, freshName());
    for (const [type, content] of [
      ['A', '192.0.2.1'],
      ['TXT', 'text'],
      ['NS', 'ns1.example.net'],
    ])
      await client.post(`/api/domains/${id}/dns/records`, { type, name: `of-${type}`, content }).expect(201);
    const { page } = await dashboard.signIn(email);
    await dashboard.goTo(`/domains/${id}/records`);
    const icons = (within: string) =>
      page
        .locator(`${within} svg:visible`)
        .evaluateAll((all) =>
          all.map((icon) => [icon.getAttribute('aria-hidden'), icon.innerHTML.split('#')[1]?.split('"')[0]]),
        );

    expect(await icons('tbody .record-type')).toEqual([
      ['true', 'map-pin'],
      ['true', 'network'],
      ['true', 'file-text'],
    ]);
    await page.getByText('Add a record', { exact: true }).click();
    expect(await icons('.with-lead')).toEqual([['true', 'map-pin']]);
    await page.locator('#new-type').selectOption('MX');
    expect(await icons('.with-lead')).toEqual([['true', 'mail']]);
    expect(
      await page.locator('#new-type optgroup').evaluateAll((all) => all.map((group) => group.getAttribute('label'))),
    ).toEqual(expect.arrayContaining(['Address', 'Alias', 'Mail', 'Text', 'Delegation', 'Service', 'Security']));
  });

  it('distinguishes switches that are on and off in forced colors', async () => {
    const name = freshName();
    const id = await registered(client, name);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    const forced = await DashboardBrowser.open(browser, service, { forcedColors: 'active' });
    const { page } = await forced.signIn(email);
    const colors = (selector: string, pseudo?: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, part) => getComputedStyle(element, part).backgroundColor, pseudo);

    await forced.goTo(`/domains/${id}`);
    const [on, off] = [
      await colors('.toggle-switch[aria-checked=true] .track'),
      await colors('.toggle-switch[aria-checked=false] .track'),
    ];
    expect(on).not.toBe(off);
    for (const [state, track] of [
      ['true', on],
      ['false', off],
    ])
      expect(await colors(`.toggle-switch[aria-checked=${state}] .track`, '::after')).not.toBe(track);
    expect(await forced.close()).toEqual([]);
  });
});
