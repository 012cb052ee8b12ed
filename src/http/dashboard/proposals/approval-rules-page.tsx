import {
  APPROVAL_CHANGES,
  type ApprovalChange,
  type ApprovalRule,
} from '../../../domain/access/approvals/approval-rule';
import { moneyText } from '../../../domain/shared/money';
import type { FormIssues } from '../form-issues';
import { Card, Cell, Empty, PageHeading, Row, Table } from '../layout/components';
import { Checkbox, Field } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { FormActions } from '../layout/forms/form-actions';

const LABELS: Readonly<Record<ApprovalChange, string>> = {
  nameservers: 'Nameservers',
  dnssec: 'DNSSEC',
  contacts: 'Registrant',
  deletion: 'Deletion',
  transfer_out: 'Transfer to another registrar: unlocking, auth codes, approvals',
  records: 'Records',
  purchases: 'Purchases',
};

/** The text by which a form names a rule. */
export function ruleText(rule: ApprovalRule): string {
  return JSON.stringify(rule);
}

function describeRule({ changes, tags, types, names, over }: ApprovalRule): string {
  const parts = [
    changes.map((change) => LABELS[change].split(':')[0] ?? '').join(', '),
    ...(types ? [`types ${types.join(', ')}`] : []),
    ...(names ? [`named ${names.join(', ')}`] : []),
    ...(over ? [`over ${moneyText(over)}`] : []),
    tags ? `for names tagged ${tags.join(', ')}` : 'for all names',
  ];
  return parts.join('; ');
}

export function ApprovalRulesPage({
  rules,
  currency,
  values,
  issues,
}: {
  readonly rules: readonly ApprovalRule[];
  readonly currency: string;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}) {
  return (
    <>
      <PageHeading
        title="Approval rules"
        lead="Which changes need a second person. They become proposals, which someone else accepts. Once there are rules, a change of them needs a second person, too."
      />
      <section class="card flush">
        {rules.length === 0 ? (
          <Empty title="No change needs a second person" />
        ) : (
          <Table caption="Approval rules" columns={['Changes', '']}>
            {rules.map((rule) => (
              <Row key={ruleText(rule)}>
                <Cell class="main-cell">{describeRule(rule)}</Cell>
                <Cell>
                  <PostForm action="/approval-rules/delete" values={{ rule: ruleText(rule) }} issues={undefined}>
                    <input type="hidden" name="rule" value={ruleText(rule)} />
                    <button type="submit" class="button small">
                      Delete
                    </button>
                  </PostForm>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </section>
      <Card title="New rule" id="new-rule" class="narrow">
        <PostForm action="/approval-rules" values={values} issues={issues}>
          {APPROVAL_CHANGES.map((change) => (
            <Checkbox key={change} name={change} label={LABELS[change]} />
          ))}
          <Field
            name="tags"
            label="Tags (optional)"
            hint="Only for names with one of these tags, separated by commas."
          />
          <Field name="types" label="Record types (optional)" hint="Of the records, such as MX, NS. Empty: all." />
          <Field name="names" label="Record names (optional)" hint="Such as @, *.prod. Empty: all." />
          <Field
            name="over"
            label={`Purchases over (optional, ${currency})`}
            hint="All purchases of one request together. Empty: any amount."
          />
          <FormActions submit="Add rule" cancel="/proposals" />
        </PostForm>
      </Card>
    </>
  );
}
