import { command } from '../../program/command.ts';
import { exchangeJobToken } from '../../program/job-token.ts';
import { serviceUrl } from '../../program/profiles.ts';
import { UsageError } from '../../program/usage-error.ts';
import { describeKey } from './whoami.ts';

const DEFAULT_URL = 'http://127.0.0.1:3000';

export const login = command({
  name: 'login',
  summary: 'store a key, after a check that it works',
  details: [
    'Asks for the key without showing it; without a terminal, it is the first line of the standard input: arguments are in the history of a shell.',
    'URL and key are stored as a profile that only you may read.',
    'With --oidc, a job of CI exchanges its own token (NAMEWRIGHT_OIDC_TOKEN, or that of GitHub Actions) for a key of some minutes.',
  ],
  options: {
    url: { type: 'string', value: 'URL', description: `of the service (NAMEWRIGHT_URL, else ${DEFAULT_URL})` },
    oidc: { type: 'string', value: 'RULE', description: 'get a key by this trust rule, `tru_…`, in a job of CI' },
    audience: { type: 'string', value: 'AUDIENCE', description: 'of the token of GitHub Actions (default: the URL)' },
    forget: { type: 'boolean', description: 'remove the stored key instead' },
  },
  examples: ['namewright login --url "$URL" < key.txt'],
  run: async (session, _args, { url: given, oidc: rule, audience, forget }) => {
    const { terminal, profiles, profileName } = session;
    const stored = profiles.all();
    if (forget) {
      const { [profileName]: removed, ...others } = stored;
      if (!removed) throw new UsageError(`there is no profile ${profileName}`);
      profiles.save(others);
      session.show(
        { profile: profileName, forgotten: true },
        () => `Removed the key of ${removed.url}. To end it, revoke it.`,
      );
      return;
    }
    const fallback = terminal.env['NAMEWRIGHT_URL'] || DEFAULT_URL;
    const isAsked = given === undefined && rule === undefined && terminal.isInteractive;
    const answer = isAsked ? await terminal.ask(`URL [${fallback}]: `) : (given ?? '');
    const url = serviceUrl(answer.trim() || fallback);
    if (url.startsWith('http:') && !isLocal(url))
      terminal.note('Warning: without https, others in the network can read the key and all responses.');
    const ask = async () =>
      terminal.isInteractive ? terminal.ask('API key: ', { hidden: true }) : firstLine(await terminal.readInput());
    const key =
      rule === undefined ? (await ask()).trim() : await exchangeJobToken({ url, rule, audience }, terminal.env);
    if (key === '') throw new UsageError('the key is missing');
    const owner = await session.connect({ url, key }).readKey();
    profiles.save({ ...stored, [profileName]: { url, key } });
    if (terminal.env['NAMEWRIGHT_API_KEY'])
      terminal.note('Warning: commands without --profile use NAMEWRIGHT_API_KEY, which is set, and not this key.');
    session.show({ profile: profileName, url, key: owner }, () => [
      `Signed in to ${url} as profile ${profileName}.`,
      ...describeKey(owner),
    ]);
  },
});

function isLocal(url: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
