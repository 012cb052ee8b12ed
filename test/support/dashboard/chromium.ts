import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Why a test that needs a browser cannot run here; undefined where it can. */
export const CHROMIUM_MISSING: string | undefined = EXECUTABLE ? undefined : 'no Chromium is installed';

/** The machine's own Chromium; without its sandbox, which root may not use, for it sees nothing but our own pages. */
export function startChromium(): Promise<Browser> {
  if (!EXECUTABLE) throw new Error(CHROMIUM_MISSING);
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}
