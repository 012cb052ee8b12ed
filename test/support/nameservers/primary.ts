import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AddSecondary } from '../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../src/application/dns/publishing/create-tsig-key';
import { RaiseVersions } from '../../../src/application/dns/publishing/raise-versions';
import { Clock } from '../../../src/application/ports/system';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import type { TestService } from '../service/service';
import { CODE_CACHE } from '../service/service-process';

/** Runs an operator's command and returns its output. */
export type Admin = (...args: readonly string[]) => Promise<string>;

/** Runs `admin dns` commands in the process of the service. */
export function createInProcessAdmin({ config, container, dns: primary }: TestService): Admin {
  const dns = {
    directory: container.get<SecondaryDirectory>(SecondaryDirectory),
    createTsigKey: container.get(CreateTsigKey),
    addSecondary: container.get(AddSecondary),
    raiseVersions: container.get(RaiseVersions),
    clock: container.get<Clock>(Clock),
    catalogZone: config.dns.catalogZone,
    primary,
  };
  return async (...args) => {
    const command = parseCommand(['dns', ...args]);
    if (command.kind === 'help') throw new TypeError('the arguments request help');
    return command.run({ dns } as unknown as CommandServices);
  };
}

/** Runs `admin dns` commands in a process on the same database. */
export function createCliAdmin(settings: Record<string, string>): Admin {
  return async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [...CODE_CACHE, 'dist/cli.js', 'dns', ...args], {
      env: { PATH: process.env['PATH'], ...settings },
      encoding: 'utf8',
    });
    return stdout.trimEnd();
  };
}
