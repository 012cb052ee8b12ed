import type { Browser } from 'playwright-core';
import { RegistryPort } from '../../src/application/ports/registry/registry-port';
import { ReconcileRegistries } from '../../src/application/registrar/reconciliation/reconcile-registries';
import { DomainName } from '../../src/domain/shared/domain-name';
import { Nameservers } from '../../src/domain/registration/nameservers';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { aUser } from '../support/dashboard/dashboard-client';
import { describeOrSkip } from '../support/describe-or-skip';
import { HOSTS_ELSEWHERE, registerAtRegistry } from '../support/registries/register-at-registry';
import { api, registered, startService, type TestService } from '../support/service/service';

const ZONE_FILE = `$ORIGIN imported-07.com.
@ 3600 IN A 192.0.2.7
www 3600 IN CNAME imported-07.com.
@ 3600 IN MX 10 mail.imported-07.com.
mail 3600 IN A 192.0.2.8
`;

describeOrSkip(CHROMIUM_MISSING)('domains at a registrar, in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let accountId: string;
  let dashboard: DashboardBrowser;

  beforeAll(async () => {
    service = await startService({ SIGN_IN_ATTEMPTS: '0' });
    browser = await startChromium();
    accountId = await service.account();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(async () => {
    dashboard = await DashboardBrowser.open(browser, service);
    await dashboard.signIn(await aUser(service, accountId));
  });
  afterEach(async () => {
    expect(await dashboard.close()).toEqual([]);
  });

  it('imports 50 domains with a progress bar, and the zone of one after a plan', async () => {
    const { page } = dashboard;
    for (let index = 0; index < 50; index += 1)
      await registerAtRegistry(service, `imported-${String(index).padStart(2, '0')}.com`);

    await dashboard.goTo('/domains');
    await page.locator('main').getByRole('link', { name: 'Add a name' }).click();
    await page.getByRole('link', { name: 'Import names from a registrar account' }).click();
    await page.getByRole('checkbox', { name: 'imported-49.com' }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(50);
    await page.getByRole('checkbox', { name: 'imported-49.com' }).uncheck();
    await page.getByRole('button', { name: 'Import the chosen domains' }).click();
    await page.getByText('49 imported, 0 here already, 0 failed, 0 to go').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('49');
    await page.getByRole('link', { name: 'Import more' }).click();
    await page.getByRole('checkbox').first().waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(1);

    await page.getByRole('link', { name: 'imported-07.com' }).click();
    await page.getByRole('link', { name: 'Zone file' }).click();
    await page.getByLabel('Zone file', { exact: true }).fill(ZONE_FILE);
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('button', { name: 'Import', exact: true }).click();

    await page.getByText('The zone file was imported: 4 added, 0 changed, 0 removed.').waitFor();
  });

  it('shows three differences to the registrar on the overview, and none after they are adopted', async () => {
    const { page } = dashboard;
    const client = api(service, await service.key(accountId));
    for (const name of ['moved.com', 'unlocked.com']) await registered(client, name);
    const registry = service.container.get<RegistryPort>(RegistryPort);
    const moved = DomainName.parse('moved.com');
    await registry.setNameservers(moved, Nameservers.fromState(HOSTS_ELSEWHERE), [], 'behind-our-back-1');
    await registry.setTransferLock(DomainName.parse('unlocked.com'), false, 'behind-our-back-2');
    await registerAtRegistry(service, 'elsewhere.com');
    const names = ['imported-49.com'];
    const { body } = await client.post('/api/imports', { registry: 'simulated', names }).expect(202);
    await dashboard.goTo(`/imports/${body.id}`);
    await page.getByText('1 imported, 0 here already').waitFor();
    const reconcile = service.container.get(ReconcileRegistries);

    await reconcile.execute({ fix: false });
    await dashboard.goTo('/');
    const attention = page.locator('.attention');
    await attention.getByText('elsewhere.com is at the registry simulated but not here').waitFor();
    await attention.getByText('moved.com differs from the registry simulated: the list of nameservers').waitFor();
    await attention
      .getByText('unlocked.com differs from the registry simulated: the transfer lock is off there and on here')
      .waitFor();

    await reconcile.execute({ fix: true });
    await dashboard.goTo('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByText('differs from the registry simulated').count()).toBe(0);
    expect(await page.getByText('is at the registry simulated but not here').count()).toBe(0);
  });
});
