import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CLI = resolve(__dirname, '../../../clients/cli');

export interface InstalledCli {
  /** The folder of the program `namewright`, for PATH. */
  readonly bin: string;
  /** Bytes of the file that was installed. */
  readonly size: number;
  readonly file: string;
}

/** Packs the command line and installs it in an empty folder, as on a machine that has only Node. */
export function installCli(folder: string): InstalledCli {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: CLI,
    encoding: 'utf8',
  });
  const file = join(folder, packed.trim().split('\n').at(-1) ?? '');
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', file], { cwd: folder });
  return { bin: join(folder, 'node_modules/.bin'), size: statSync(file).size, file };
}
