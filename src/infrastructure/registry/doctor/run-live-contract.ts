import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TldPolicy } from '../../../domain/registration/names/tld-policy';
import { ValidationError } from '../../../domain/shared/validation-error';

/** What the contract tests read from the environment variable REGISTRAR_LIVE. */
export interface LiveContract {
  /** The registry's name in the registries file. */
  readonly registry: string;
  readonly tld: string;
  readonly unsupported: NonNullable<TldPolicy['unsupported']>;
}

/** Runs the contract tests in Jest, with its output on standard error. Returns whether they passed. @throws ValidationError without Jest */
export async function runLiveContract(contract: LiveContract, folder: string): Promise<boolean> {
  const jest = join(folder, 'node_modules/jest/bin/jest.js');
  const test = join(folder, 'test/contract/registry/registrar-live.ts');
  if (!existsSync(jest) || !existsSync(test))
    throw ValidationError.of('live-sandbox', 'needs a checkout with its development dependencies (npm ci)');
  const child = spawn(process.execPath, [jest, '-w', '1', '--testMatch', '**/contract/registry/registrar-live.ts'], {
    cwd: folder,
    env: { ...process.env, REGISTRAR_LIVE: JSON.stringify(contract) },
    stdio: ['ignore', 2, 2],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
