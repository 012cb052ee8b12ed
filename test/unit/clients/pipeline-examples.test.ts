import { GITHUB, GITLAB } from '../../support/clients/pipelines';

const RULES = { plan: 'NAMEWRIGHT_PLAN_RULE', apply: 'NAMEWRIGHT_APPLY_RULE', drift: 'NAMEWRIGHT_PLAN_RULE' } as const;
const JOBS = ['plan', 'apply', 'drift'] as const;

describe('the example for GitHub Actions', () => {
  it('gives a job only the permissions that it needs', () => {
    const { permissions, jobs } = GITHUB;

    expect({ permissions, ...Object.fromEntries(JOBS.map((job) => [job, jobs[job].permissions])) }).toEqual({
      permissions: {},
      plan: { contents: 'read', 'id-token': 'write', 'pull-requests': 'write' },
      apply: { contents: 'read', 'id-token': 'write' },
      drift: { contents: 'read', 'id-token': 'write' },
    });
  });

  it('pins actions to commits, and stores no credentials in the checkout', () => {
    const steps = JOBS.flatMap((job) => GITHUB.jobs[job].steps);
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));

    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual([false, false, false]);
  });

  it.each(JOBS)(
    'signs the job %s in by its rule before it runs, without a secret, and no context in a script',
    (job) => {
      const { steps } = GITHUB.jobs[job];
      const login = steps.findIndex(({ run }) => run?.includes('namewright login'));

      expect(steps[login]).toEqual({
        run: 'namewright login --oidc "$RULE"',
        env: { RULE: `\${{ vars.${RULES[job]} }}` },
      });
      expect(steps[login + 1]?.run).toContain(`namewright ${job} zones`);
      expect(JSON.stringify(GITHUB)).not.toMatch(/secrets\.|NAMEWRIGHT_API_KEY/);
      expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
    },
  );

  it('plans pull requests of the same repository only, and applies what is merged in a protected environment', () => {
    const { plan, apply, drift } = GITHUB.jobs;

    expect(plan.if).toContain('github.event.pull_request.head.repo.full_name == github.repository');
    expect([apply.if, drift.if]).toEqual(["github.event_name == 'push'", "github.event_name == 'schedule'"]);
    expect([plan, apply, drift].map(({ environment }) => environment)).toEqual([undefined, 'dns', undefined]);
    expect(GITHUB.defaults.run.shell).toBe('bash');
  });
});

describe('the example for GitLab CI', () => {
  it.each(JOBS)('signs the job %s in by its rule, with a token for the service, without a secret', (job) => {
    expect(GITLAB.default.id_tokens).toEqual({ NAMEWRIGHT_OIDC_TOKEN: { aud: '$NAMEWRIGHT_URL' } });
    expect(GITLAB[job].script[0]).toBe(`namewright login --oidc "$${RULES[job]}"`);
    expect(JSON.stringify(GITLAB)).not.toContain('NAMEWRIGHT_API_KEY');
  });

  it('applies only what is pushed to the default branch, in an environment', () => {
    const { plan, apply, drift } = GITLAB;

    expect([plan, apply, drift].map(({ rules }) => rules.map((rule) => rule.if))).toEqual([
      ['$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID'],
      ['$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'],
      ['$CI_PIPELINE_SOURCE == "schedule"'],
    ]);
    expect([plan, apply, drift].map(({ environment }) => environment)).toEqual([undefined, 'dns', undefined]);
  });
});
