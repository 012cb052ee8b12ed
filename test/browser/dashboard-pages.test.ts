import { readFileSync } from 'node:fs';
import type { Browser, Page, ViewportSize } from 'playwright-core';
import { bringAxe, seriousFindings, type AxeRules } from '../support/dashboard/axe';
import { CHROMIUM_MISSING, startChromium } from '../support/dashboard/chromium';
import { measureList, type ListLayout } from '../support/dashboard/list-layout';
import { DashboardBrowser } from '../support/dashboard/dashboard-browser';
import { findMisfits, findNarrowCells, findSettings, weigh } from '../support/dashboard/page-checks';
import { fillEveryPage } from '../support/dashboard/every-page';
import { startService, type TestService } from '../support/service/service';
import { describeOrSkip } from '../support/describe-or-skip';

const DESKTOP = { width: 1280, height: 800 };
const COLORS: AxeRules = { runOnly: ['color-contrast', 'link-in-text-block'] };
const ROOM: AxeRules = { runOnly: ['scrollable-region-focusable'] };
/** What is shown depends on the room, of which a desktop has 320 pixels at 400 %. The document is the same in other colors. */
const LOOKS: readonly Look[] = [
  { title: 'in light colors', size: DESKTOP },
  { title: 'in dark colors', size: DESKTOP, rules: COLORS, colorScheme: 'dark' },
  { title: 'in forced colors', size: DESKTOP, rules: COLORS, forcedColors: 'active' },
  { title: 'at 200 %', size: { width: 640, height: 400 }, rules: ROOM },
  { title: 'at 400 %', size: { width: 320, height: 256 }, rules: { rules: { 'color-contrast': { enabled: false } } } },
];
/** 1280 pixels at 400 % are 320. */
const WIDTHS = [320, 390, 640, 1000, 1920];
const PHONES = [390];
const MAX_PAGE_BYTES = 60 * 1_024;
const SETTINGS = Array.from(
  readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z][A-Z_]+)=/gm),
  ([, name = '']) => name,
);
const HEIGHT = 740;
/** Over a hundred pages, each checked at nine widths and in three color schemes, beside other suites. */
const MOST_MS = 900_000;
/** Width and height. */
const LIST_SCREENS = [
  [1_440, 900],
  [1_280, 800],
  [768, 1_024],
  [390, 844],
] as const;
const PHONE = { width: 360, height: HEIGHT };

interface Look extends Pick<NonNullable<Parameters<Page['emulateMedia']>[0]>, 'colorScheme' | 'forcedColors'> {
  readonly title: string;
  readonly size: ViewportSize;
  /** All if left out. */
  readonly rules?: AxeRules;
}

describeOrSkip(CHROMIUM_MISSING)('every dashboard page', () => {
  let service: TestService;
  let browser: Browser;
  let email: string;
  let domain: string;
  /** The id of a domain with a short name. */
  let usual: string;
  let paths: readonly string[];
  /** What is wrong on the pages, by look or width. */
  const violations = new Map<string, string[]>(LOOKS.map(({ title }) => [title, []]));
  const misfits = new Map<number, string[]>(WIDTHS.map((width) => [width, []]));
  const narrowCells = new Map<number, string[]>(PHONES.map((width) => [width, []]));
  const weights = new Map<string, number>();
  const settings: string[] = [];
  const statuses = new Map<string, number | undefined>();
  let dashboard: DashboardBrowser;
  /** For the layout of lists. */
  let lists: DashboardBrowser;
  const problems: string[] = [];
  const domainName = 'a-name-as-long-as-names-may-be-which-breaks-whatever-is-narrow.com';

  beforeAll(async () => {
    service = await startService();
    browser = await startChromium();
    ({ email, domain, usual, paths } = await fillEveryPage(service, domainName));
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
    'a zone that would hide records': async (dashboard) => {
      await dashboard.goTo('/add/dns');
      await dashboard.page.getByLabel('Name or network').fill(`by-a-dashboard.${domainName}`);
      await dashboard.page.getByRole('button', { name: 'Host DNS' }).click();
      await dashboard.page.getByText('by-a-dashboard A').waitFor();
    },
    'the preview of a zone to host': async (dashboard) => {
      await dashboard.goTo('/add/dns');
      await dashboard.page.getByLabel('Name or network').fill('previewed.example');
      await dashboard.page.locator('[name=records]').selectOption('zonefile');
      await dashboard.page.getByRole('button', { name: 'Host DNS' }).click();
      await dashboard.page.locator('[name=text]').fill('@ 3600 IN A 192.0.2.1');
      await dashboard.page.getByRole('button', { name: 'Preview records' }).click();
      await dashboard.page.getByText('The zone begins with 1 record.').waitFor();
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
      await dashboard.page.getByRole('radio', { name: 'Something else' }).check();
      await dashboard.page
        .getByLabel('Name', { exact: true })
        .fill('a-name-of-a-key-without-a-place-where-it-may-break');
      await dashboard.page.getByRole('button', { name: 'Create key' }).click();
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
      await dashboard.goTo('/api-keys/new');
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
    await bringAxe(dashboard.page);
    await dashboard.goTo('/sign-in');
    await checkLooks(dashboard.page, '/sign-in');
    await dashboard.signIn(email);
    for (const path of paths) {
      statuses.set(path, await dashboard.goTo(path));
      await check(dashboard.page, path);
    }
    problems.push(...(await dashboard.close()));
  }, MOST_MS);

  // Signs in again: on a busy machine, the last sign-in is too old by now for what asks for the password again.
  beforeAll(async () => {
    dashboard = await DashboardBrowser.open(browser, service, { viewport: PHONE, reducedMotion: 'reduce' });
    await bringAxe(dashboard.page);
    await dashboard.signIn(email);
    for (const [where, go] of Object.entries(formPages)) {
      await go(dashboard);
      await check(dashboard.page, where);
    }
    problems.push(...(await dashboard.close()));
    lists = await DashboardBrowser.open(browser, service);
    await lists.signIn(email);
  });

  async function check(page: Page, where: string): Promise<void> {
    weights.set(where, await weigh(page));
    settings.push(...(await findSettings(page, SETTINGS)).map((name) => `${where}: ${name}`));
    for (const width of new Set([...WIDTHS, ...PHONES])) {
      await page.setViewportSize({ width, height: HEIGHT });
      misfits.get(width)?.push(...(await findMisfits(page)).map((misfit) => `${where}${misfit}`));
      narrowCells.get(width)?.push(...(await findNarrowCells(page)).map((cell) => `${where} in the cell ${cell}`));
    }
    await checkLooks(page, where);
    await page.setViewportSize(PHONE);
  }

  async function checkLooks(page: Page, where: string): Promise<void> {
    for (const { title, size, rules, ...media } of LOOKS) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...media });
      const findings = await seriousFindings(page, rules);
      violations.get(title)?.push(...findings.map((finding) => `${where}: ${finding}`));
    }
  }

  it('is there', () => {
    expect([...statuses].filter(([, status]) => status !== 200)).toEqual([['/nowhere', 404]]);
  });

  it.each(LOOKS)('has no serious accessibility violations $title', ({ title }) => {
    expect(violations.get(title)).toEqual([]);
  });

  it.each(WIDTHS)('fits a screen %i pixels wide', (width) => {
    expect(misfits.get(width)).toEqual([]);
  });

  it.each(PHONES)('uses the full width of a phone %i pixels wide for full-width cells', (width) => {
    expect(narrowCells.get(width)).toEqual([]);
  });

  it('has at most 60 KiB with its styles and scripts, before any of them is cached', () => {
    expect(Math.min(...weights.values())).toBeGreaterThan(20_000);
    expect([...weights].filter(([, bytes]) => bytes > MAX_PAGE_BYTES)).toEqual([]);
  });

  it('names no environment variable, which its readers cannot set', () => {
    expect(SETTINGS).toContain('RECORD_TYPES');
    expect(settings).toEqual([]);
  });

  describe.each(['', '/records'])('with a list of names or records (%s)', (path) => {
    let layouts: ReadonlyMap<number, ListLayout>;
    beforeAll(async () => {
      const { page } = lists;
      const measured = new Map<number, ListLayout>();
      for (const [width, height] of LIST_SCREENS) {
        await page.setViewportSize({ width, height });
        await lists.goTo(path === '' ? '/domains' : `/domains/${usual}${path}`);
        await page.waitForLoadState('networkidle');
        measured.set(width, await measureList(page));
      }
      layouts = measured;
    });

    it.each(LIST_SCREENS.map(([width]) => width))(
      'keeps cells in their list and controls apart at %i pixels',
      (width) => {
        expect(layouts.get(width)).toMatchObject({ outside: [], overlaps: [] });
      },
    );

    it.each([1_440, 1_280])('has rows of 40 to 44 pixels and text of 14 at %i pixels', (width) => {
      const { rowHeights = [], fontSize } = layouts.get(width) ?? {};

      expect(rowHeights.length).toBeGreaterThan(1);
      expect(rowHeights.filter((height) => height < 40 || height > 44)).toEqual([]);
      expect(fontSize).toBe(14);
    });

    it('has room for 12 rows on the first screen of 1440 x 900 pixels', () => {
      expect((900 - (layouts.get(1_440)?.firstRow ?? 900)) / 40).toBeGreaterThan(12);
    });

    it('begins above 420 pixels on a phone', () => {
      expect(layouts.get(390)?.firstRow).toBeLessThan(420);
    });
  });

  it('has the versions of a zone at most 64 pixels lower on a phone for the picture of them', async () => {
    const { page } = lists;
    await page.setViewportSize({ width: 390, height: 844 });
    await lists.goTo(`${domain}/history`);

    const drawing = await page.locator('.history-timeline svg').boundingBox();
    const below = await measureList(page);
    await page.locator('.history-card').evaluate((card) => card.remove());
    const without = await measureList(page);

    expect(drawing?.height).toBeGreaterThan(24);
    expect(below.firstRow - without.firstRow).toBeLessThanOrEqual(64);
  });

  it('has the time of an entry of the activity beside its text on a screen of 1440 pixels', async () => {
    const { page } = lists;
    await page.setViewportSize({ width: 1_440, height: 900 });
    await lists.goTo('/activity');

    const lines = await page.locator('.activity > li').evaluateAll((entries) =>
      entries.map((entry) => {
        const [text, time] = Array.from(entry.querySelectorAll('p'), (each) => each.getBoundingClientRect());
        return (time?.top ?? 0) < (text?.top ?? 0) + 10 && (time?.left ?? 0) > (text?.left ?? 0);
      }),
    );

    expect(lines.length).toBeGreaterThan(5);
    expect(lines).not.toContain(false);
  });

  it('reaches the search of the list of domains within five stops of the keyboard, and selects a row with a key', async () => {
    const { page } = lists;
    await page.setViewportSize(DESKTOP);
    await lists.goTo('/domains');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const stops = ['skip link'];
    for (; stops.length < 5 && stops.at(-1) !== 'q';) {
      await page.keyboard.press('Tab');
      stops.push(await page.evaluate(() => document.activeElement?.id || (document.activeElement?.textContent ?? '')));
    }
    expect(stops.at(-1)).toBe('q');

    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('x');

    expect(await page.locator('tbody [name=id]:checked').count()).toBe(1);
    await page.locator('.bulk-bar').getByText('1 selected').waitFor();
  });

  it('logs no error, opens no dialog and sends no request to another host', () => {
    expect(problems).toEqual([]);
  });
});
