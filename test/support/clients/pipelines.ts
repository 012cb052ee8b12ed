import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Api } from '../service/service';
import type { CodeHost } from './code-host';

export const EXAMPLES = resolve(__dirname, '../../../examples/git');

type Job = 'plan' | 'apply' | 'drift';
type Variables = Readonly<Record<string, string>>;

interface GithubStep {
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Variables;
}

interface GithubJob {
  readonly if: string;
  readonly permissions: Variables;
  readonly environment?: string;
  readonly steps: readonly GithubStep[];
}

interface GithubWorkflow {
  readonly permissions: Variables;
  readonly env: Variables;
  readonly defaults: { readonly run: { readonly shell: string } };
  readonly jobs: Readonly<Record<Job, GithubJob>>;
}

interface GitlabJob {
  readonly rules: readonly { readonly if: string }[];
  readonly environment?: string;
  readonly script: readonly string[];
}

interface GitlabDefaults {
  readonly id_tokens: Readonly<Record<string, { readonly aud: string }>>;
  readonly before_script: readonly string[];
}

type GitlabPipeline = { readonly default: GitlabDefaults } & Readonly<Record<Job, GitlabJob>>;

export const GITHUB = parse(readFileSync(join(EXAMPLES, 'github/dns.yml'), 'utf8')) as GithubWorkflow;
export const GITLAB = parse(readFileSync(join(EXAMPLES, 'gitlab/.gitlab-ci.yml'), 'utf8')) as GitlabPipeline;

interface JobRun {
  readonly exitCode: number;
  readonly log: string;
}

/** The settings of a repository. */
interface Settings {
  readonly url: string;
  readonly planRule: string;
  readonly applyRule: string;
  readonly codeHost: CodeHost;
}

/** The claims that docs/clients/dns-in-git.md says for the rules. */
const PLAN_CLAIMS = { github: { repository_id: '123' }, gitlab: { project_id: '3' } };
const APPLY_CLAIMS = {
  github: { ...PLAN_CLAIMS.github, ref: 'refs/heads/main', environment: 'dns' },
  gitlab: { ...PLAN_CLAIMS.gitlab, ref: 'main', ref_type: 'branch', ref_protected: 'true' },
};

/** Creates the trust rules of the jobs. */
export async function createRules(
  rest: Api,
  host: keyof typeof PLAN_CLAIMS,
  { url: audience, codeHost: { issuer } }: Pick<Settings, 'url' | 'codeHost'>,
): Promise<Pick<Settings, 'planRule' | 'applyRule'>> {
  const create = async (rule: { name: string; claims: Variables; limits?: { propose: true } }) => {
    const { body } = await rest.post('/api/trust-rules', { issuer, audience, scope: 'WRITE', ...rule }).expect(201);
    return body.id as string;
  };
  return {
    planRule: await create({ name: 'plans in CI', claims: PLAN_CLAIMS[host], limits: { propose: true } }),
    applyRule: await create({ name: 'apply in CI', claims: APPLY_CLAIMS[host] }),
  };
}

export interface Repository extends Settings {
  readonly folder: string;
  /** Where a job installs the command line, which only the first one does: it takes seconds. */
  readonly program: string;
  readonly env: Variables;
}

/** A checkout with the script and the packed command line, and an empty folder `zones`. */
export function checkOut(home: string, cli: string, settings: Settings): Repository {
  const folder = join(home, 'checkout');
  mkdirSync(join(folder, 'zones'), { recursive: true });
  for (const file of [join(EXAMPLES, 'comment-plan.mjs'), cli]) copyFileSync(file, join(folder, basename(file)));
  const prefix = join(home, 'global');
  const PATH = [join(prefix, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  return {
    ...settings,
    folder,
    program: join(prefix, 'bin/namewright'),
    env: { PATH, HOME: home, npm_config_prefix: prefix },
  };
}

/** Runs the shell steps of a job as GitHub Actions does, up to the first that fails. */
export async function runGithubJob(job: Job, { folder, program, env, ...settings }: Repository): Promise<JobRun> {
  const GITHUB_OUTPUT = join(folder, '../outputs.txt');
  const { permissions, environment, steps } = GITHUB.jobs[job];
  const { url: host, token } = settings.codeHost;
  const contexts = new Map([
    ['vars.NAMEWRIGHT_URL', settings.url],
    ['vars.NAMEWRIGHT_PLAN_RULE', settings.planRule],
    ['vars.NAMEWRIGHT_APPLY_RULE', settings.applyRule],
    ['github.token', token],
    ['github.event.pull_request.number', '5'],
  ]);
  const claims = new URLSearchParams({
    ...PLAN_CLAIMS.github,
    ref: job === 'plan' ? 'refs/pull/5/merge' : 'refs/heads/main',
    ...(environment !== undefined && { environment }),
  });
  const runner = {
    ...env,
    GITHUB_OUTPUT,
    GITHUB_API_URL: host,
    GITHUB_REPOSITORY: 'org/dns',
    ...(permissions['id-token'] === 'write' && {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${host}/job-token?${claims.toString()}`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
    }),
  };
  forgetKeys(env);
  let log = '';
  for (const step of steps) {
    if (step.run === undefined || (step.run.startsWith('npm install ') && existsSync(program))) continue;
    writeFileSync(GITHUB_OUTPUT, '');
    const variables = Object.entries({ ...GITHUB.env, ...step.env }).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, context: string) => defined(contexts, context)),
    ]);
    const ran = await bash(step.run, folder, { ...runner, ...Object.fromEntries(variables) });
    log += ran.log;
    if (ran.exitCode !== 0) return { ...ran, log };
    for (const [, name, value = ''] of readFileSync(GITHUB_OUTPUT, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
      contexts.set(`steps.${step.id}.outputs.${name}`, value);
  }
  return { exitCode: 0, log };
}

/** Runs a job as GitLab's runner does: all lines in one shell. */
export function runGitlabJob(job: Job, { folder, program, env, ...settings }: Repository): Promise<JobRun> {
  const { codeHost } = settings;
  const { url: host, token } = codeHost;
  const given = new Map([
    ['NAMEWRIGHT_URL', settings.url],
    ['NAMEWRIGHT_PLAN_RULE', settings.planRule],
    ['NAMEWRIGHT_APPLY_RULE', settings.applyRule],
    ['COMMENT_TOKEN', token],
    ['GITLAB_CI', 'true'],
    ['CI_API_V4_URL', host],
    ['CI_PROJECT_ID', '3'],
    ['CI_MERGE_REQUEST_IID', '5'],
  ]);
  const branch = job === 'plan' ? { ref: 'feature', ref_protected: 'false' } : { ref: 'main', ref_protected: 'true' };
  const tokens = Object.entries(GITLAB.default.id_tokens).map(([name, { aud }]) => {
    const audience = aud.replace(/^\$(\w+)$/, (_, variable: string) => defined(given, variable));
    return [name, codeHost.jobToken(audience, { ...PLAN_CLAIMS.gitlab, ref_type: 'branch', ...branch })];
  });
  const script = [...(existsSync(program) ? [] : GITLAB.default.before_script), ...GITLAB[job].script].join('\n');
  forgetKeys(env);
  return bash(script, folder, { ...env, ...Object.fromEntries(given), ...Object.fromEntries(tokens) });
}

/** Each job begins on a new machine. */
function forgetKeys({ HOME = '' }: Variables): void {
  rmSync(join(HOME, '.config'), { recursive: true, force: true });
}

function defined(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`${name} is not defined`);
  return value;
}

function bash(script: string, cwd: string, env: Variables): Promise<JobRun> {
  return new Promise((done) => {
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    execFile('bash', words, { cwd, env: { ...env } }, (error, stdout, stderr) =>
      done({ exitCode: error === null ? 0 : Number(error.code), log: stdout + stderr }),
    );
  });
}
