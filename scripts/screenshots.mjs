// Writes PNGs of all pages with sample data to docs/images: desktop and phone, light and dark. Needs Chromium.
// `node scripts/screenshots.mjs [FOLDER] [NAME…]` writes some pages to another folder.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { seed } from './screenshots-data.mjs';
import { startDns } from './screenshots-dns.mjs';

const [folder = 'docs/images', ...wanted] = process.argv.slice(2);
const WIDTHS = { desk: 1280, phone: 360 };
const SCHEMES = ['light', 'dark'];
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts the real service in a temporary folder, as `npm start` does. */
async function start(directory, dns) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    DATABASE_URL: `sqlite:${join(directory, 'namewright.db')}`,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '0',
    ...dns.settings,
  };
  const child = spawn(process.execPath, [resolve('dist/main.js')], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise((done) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('(shown only now)')) done();
    });
  });
  dns.addSecondaries({ ...env, SECRET_KEY_FILE: join(directory, 'secret.key') });
  const read = (label) => new RegExp(`${label} +(\\S+)`).exec(output)[1];
  return {
    child,
    url: /running at (\S+)/.exec(output)[1],
    email: read('E-mail'),
    password: read('Password'),
    key: /shown only now: (\S+)/.exec(output)[1],
    database: join(directory, 'namewright.db'),
  };
}

async function signIn(context, { url, email, password }) {
  const page = await context.newPage();
  await page.goto(`${url}/sign-in`);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.click('button[type=submit]');
  await page.waitForURL(`${url}/`);
  return page;
}

async function shoot(page, name, file) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.activeElement?.blur());
  await page.screenshot({ path: file, fullPage: true });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (excess > 0) process.stdout.write(`${name} scrolls sideways by ${excess} px\n`);
}

execFileSync(process.execPath, ['scripts/build-if-needed.mjs'], { stdio: 'inherit' });
mkdirSync(folder, { recursive: true });
const directory = mkdtempSync(join(tmpdir(), 'namewright-screenshots-'));
// First: a service without a browser would run on after this has failed.
const browser = await chromium.launch({ executablePath: CHROMIUM.find(existsSync), args: ['--no-sandbox'] });
const dns = await startDns();
const service = await start(directory, dns);
try {
  const pages = await seed(service, dns);
  for (const [width, pixels] of Object.entries(WIDTHS)) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({
        viewport: { width: pixels, height: width === 'phone' ? 740 : 800 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const outside = await context.newPage();
      const inside = await signIn(context, service);
      for (const { name, path, prepare, signedOut = false } of pages) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        const page = signedOut ? outside : inside;
        if (signedOut) await context.clearCookies();
        await page.goto(service.url + path);
        await prepare?.(page);
        await shoot(page, `${name} (${width})`, join(folder, `${name}-${width}-${colorScheme}.png`));
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  service.child.kill();
  dns.stop();
  rmSync(directory, { recursive: true });
}
