import { SCOPES } from '../../../../domain/access/api-key';
import { describeLimits } from '../../../../domain/access/describe-limits';
import { MAX_KEY_MINUTES, MAX_TRUST_RULES, type TrustRule } from '../../../../domain/access/trust/trust-rule';
import type { FormIssues } from '../../form-issues';
import { Card, Cell, Confirm, Empty, PageHeading, Row, Table, Time } from '../../layout/components';
import { formatTimeAgo } from '../../layout/dates';
import { FormActions } from '../../layout/forms/form-actions';
import { Checkbox, Field, Select, TextArea } from '../../layout/forms/form-controls';
import { PostForm, type FormValues } from '../../layout/forms/forms';
import { usePage } from '../../layout/page-context';

const PATH = '/api-keys/trust-rules';

export function TrustRulesPage({ rules }: { readonly rules: readonly TrustRule[] }) {
  return (
    <>
      <PageHeading
        title="Trust rules"
        lead={`Jobs of GitHub Actions, GitLab CI and others exchange their own token for an API key of a few minutes, so that no secret is stored. An account can have ${MAX_TRUST_RULES} rules.`}
      >
        <a class="button" href="/api-keys">
          API keys
        </a>
        <a class="button primary" href={`${PATH}/new`}>
          Create trust rule
        </a>
      </PageHeading>
      <section class="card flush">
        {rules.length === 0 ? (
          <Empty title="No trust rules">
            <p>Create one for the repository that has your DNS.</p>
          </Empty>
        ) : (
          <Table caption="Trust rules" columns={['Name', 'Jobs', 'Keys', 'Last used']}>
            {rules.map((rule) => (
              <RuleRow key={rule.id} rule={rule} />
            ))}
          </Table>
        )}
      </section>
    </>
  );
}

function RuleRow({ rule }: { readonly rule: TrustRule }) {
  const { now } = usePage();
  const { id, name, issuer, claims, scope, limits, minutes, lastUsedAt } = rule;
  return (
    <Row>
      <Cell class="main-cell">
        <a href={`${PATH}/${id}`}>
          <strong>{name}</strong>
        </a>
        <code class="small">{id}</code>
      </Cell>
      <Cell label="Jobs" class="wide">
        {issuer}
        {Object.entries(claims).map(([claim, values]) => (
          <small key={claim} class="block">
            {claim}: {values.join(' or ')}
          </small>
        ))}
      </Cell>
      <Cell label="Keys">
        {scope}, {minutes === 1 ? '1 minute' : `${minutes} minutes`}
        {limits && <small class="block">{describeLimits(limits)}</small>}
      </Cell>
      <Cell label="Last used">
        {lastUsedAt ? <Time at={lastUsedAt}>{formatTimeAgo(lastUsedAt, now)}</Time> : 'never'}
      </Cell>
    </Row>
  );
}

interface TrustRuleFormPageProps {
  readonly title: string;
  /** Undefined: a new one. */
  readonly rule: TrustRule | undefined;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

export function TrustRuleFormPage({ title, rule, values, issues }: TrustRuleFormPageProps) {
  const path = rule ? `${PATH}/${rule.id}` : PATH;
  return (
    <>
      <PageHeading title={title} lead={rule && `Jobs name it by its id, ${rule.id}.`} />
      <Card title="Jobs and keys">
        <PostForm action={path} values={values} issues={issues}>
          <Field name="name" label="Name" required maxLength={100} hint="Its keys have the same name." />
          <Field
            name="issuer"
            label="Issuer"
            inputMode="url"
            required
            maxLength={500}
            placeholder="https://token.actions.githubusercontent.com"
            hint="Of the job’s token: GitHub Actions as above, GitLab https://gitlab.com or the URL of your own. It must be equal to the claim iss, to the last slash."
          />
          <Field
            name="audience"
            label="Audience"
            required
            maxLength={255}
            hint="For which the job requests its token (claim aud)."
          />
          <TextArea
            name="claims"
            label="Claims"
            hint={
              <>
                One on each line, such as <code>repository_id=123456</code> and <code>ref=refs/heads/main</code>; a name
                that is there twice accepts either value. GitHub needs <code>repository_id</code> or{' '}
                <code>repository_owner_id</code>, GitLab <code>project_id</code> or <code>namespace_id</code>: names can
                be taken over by others.
              </>
            }
          />
          <Select
            name="scope"
            label="Scope of the keys"
            choices={SCOPES.map((scope) => ({ value: scope, label: scope }))}
          />
          <TextArea
            name="domains"
            label="Only these names (optional)"
            rows={2}
            hint="Domains or zones, one on each line."
          />
          <Checkbox
            name="propose"
            label="Only propose changes"
            hint="Enough for jobs that plan; their scope is WRITE."
          />
          <Field
            name="minutes"
            label="Minutes"
            type="number"
            min="1"
            max={String(MAX_KEY_MINUTES)}
            required
            hint="How long a key works."
          />
          <FormActions submit={rule ? 'Save trust rule' : 'Create trust rule'} cancel={PATH} />
        </PostForm>
      </Card>
      {rule && (
        <div class="actions mt-4">
          <Confirm
            label="Delete trust rule"
            action={`${path}/delete`}
            question="Jobs get no keys by it any more, and those that they have are revoked. This cannot be undone."
            button="Delete this trust rule"
          />
        </div>
      )}
    </>
  );
}
