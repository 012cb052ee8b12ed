import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Why a test that needs a browser cannot run here; undefined if it can run. */
export const CHROMIUM_MISSING: string | undefined = EXECUTABLE ? undefined : 'no Chromium is installed';

/** Starts the installed Chromium. Without its sandbox, which root cannot use: it only loads our own pages. */
export function startChromium(): Promise<Browser> {
  if (!EXECUTABLE) throw new Error(CHROMIUM_MISSING);
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}
