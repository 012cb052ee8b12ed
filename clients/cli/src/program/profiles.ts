import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './usage-error.ts';

export interface Access {
  readonly url: string;
  readonly key: string;
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
export const DEFAULT_PROFILE = 'default';

/** Profiles with their keys, in a file that only its owner may read. */
export class Profiles {
  readonly file: string;

  constructor(env: NodeJS.ProcessEnv) {
    const configuration = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
    this.file = join(configuration, 'namewright', 'profiles.json');
  }

  /** @throws UsageError if others may read the file */
  all(): Readonly<Record<string, Access>> {
    const text = this.text();
    if (text === undefined) return {};
    try {
      return JSON.parse(text) as Record<string, Access>;
    } catch (error) {
      throw new UsageError(`${this.file} is not JSON. Delete it and run \`namewright login\``, { cause: error });
    }
  }

  save(profiles: Readonly<Record<string, Access>>): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    const written = `${this.file}.${process.pid}`;
    writeFileSync(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY });
    renameSync(written, this.file);
  }

  private text(): string | undefined {
    const mode = statSync(this.file, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) return undefined;
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new UsageError(
        `others may read the keys in ${this.file}. Run \`chmod 600 ${this.file}\`, and revoke keys that they may have read`,
      );
    return readFileSync(this.file, 'utf8');
  }
}

/**
 * The service and key of a command: of the profile that it names, else of NAMEWRIGHT_URL and NAMEWRIGHT_API_KEY, else of the profile.
 * No key goes to another service than its own, so NAMEWRIGHT_URL alone must be that of the profile.
 */
export function accessOf(env: NodeJS.ProcessEnv, named: string | undefined, profiles: Profiles): Access {
  const { NAMEWRIGHT_URL: url, NAMEWRIGHT_API_KEY: key } = env;
  const name = profileOf(env, named);
  const login = `\`namewright login${name === DEFAULT_PROFILE ? '' : ` --profile ${name}`}\``;
  if (named === undefined && key) {
    if (!url) throw new UsageError('NAMEWRIGHT_URL is not set; set it too, or unset NAMEWRIGHT_API_KEY');
    return { url: serviceUrl(url), key };
  }
  const found = profiles.all()[name];
  if (named === undefined && url) {
    if (found && serviceUrl(found.url) === serviceUrl(url)) return found;
    throw new UsageError(`NAMEWRIGHT_API_KEY is not set, and no key of ${url} is stored. Set it, or run ${login}`);
  }
  if (found) return found;
  throw new UsageError(`no key is stored. Run ${login}, or set NAMEWRIGHT_URL and NAMEWRIGHT_API_KEY`);
}

/** Without `/api` and slashes at the end. @throws UsageError */
export function serviceUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`${text} is not a URL such as https://names.example.com`);
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '').replace(/\/api$/, '');
}

export function profileOf(env: NodeJS.ProcessEnv, named: string | undefined): string {
  return named ?? (env['NAMEWRIGHT_PROFILE'] || DEFAULT_PROFILE);
}
