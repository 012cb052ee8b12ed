import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The headless shell first: it draws no window around the pages, which takes most of the processor time of a short test. */
const EXECUTABLE = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

/** Why a test that needs a browser cannot run here; undefined if it can run. */
export const CHROMIUM_MISSING: string | undefined = EXECUTABLE ? undefined : 'no Chromium is installed';

/** Less than CI gives to a test, so that the error says what the test waited for. */
const GIVE_UP_MS = 240_000;

/** Starts the installed Chromium. Without its sandbox, which root cannot use: it only loads our own pages. */
export async function startChromium(): Promise<Browser> {
  if (!EXECUTABLE) throw new Error(CHROMIUM_MISSING);
  const options = { executablePath: EXECUTABLE, args: ['--no-sandbox'], timeout: GIVE_UP_MS };
  const browser = await chromium.launch(options);
  browser.on('context', (context) => context.setDefaultTimeout(GIVE_UP_MS));
  return browser;
}
