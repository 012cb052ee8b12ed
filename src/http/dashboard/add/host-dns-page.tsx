import type { RecordsHidden } from '../../../domain/dns/dns-errors';
import type { RecordTemplate } from '../../../domain/dns/templates/record-template';
import type { FormIssues } from '../form-issues';
import { PageHeading } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Checkbox, Field, Select } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { displayName } from '../layout/domain/domain-labels';
import { TransferKeyFields } from '../zone/zone-file-page';

const RECORDS = [
  { value: 'lookup', label: 'Copy: ask the present nameservers for usual names' },
  { value: 'transfer', label: 'Copy: transfer the zone (AXFR)' },
  { value: 'zonefile', label: 'Copy from a zone file' },
  { value: 'template', label: 'From a template' },
  { value: 'none', label: 'Start without records' },
];

const MAX_SHOWN = 20;

interface HostDnsPageProps {
  /** Host names of this service's nameservers. */
  readonly ownNameservers: readonly string[];
  readonly templates: readonly RecordTemplate[];
  readonly values: FormValues;
  readonly issues?: FormIssues | undefined;
  /** The records of the account's zone above that the new zone would hide. */
  readonly hidden?: RecordsHidden | undefined;
}

export function HostDnsPage({ ownNameservers, templates, values, issues, hidden }: HostDnsPageProps) {
  return (
    <>
      <PageHeading title="Host DNS only" lead="This service serves the zone, wherever the name is registered." />
      <section class="card narrow">
        <PostForm action="/add/dns" values={values} issues={issues}>
          <Field
            name="name"
            label="Name or network"
            required
            autocomplete="off"
            autocapitalize="none"
            maxLength={253}
            autofocus={issues === undefined}
            hint="Such as example.com, k8s.corp.example, 192.0.2.0/24 or 2001:db8::/48"
          />
          {hidden && <HiddenRecords hidden={hidden} />}
          <Select
            name="records"
            label="Records"
            choices={RECORDS}
            togglesFields
            hint="You see them before the zone is created. A look-up of usual names misses other names."
          />
          <div data-types="transfer">
            <Field name="nameserver" label="Nameserver (optional)" hint="One of the parent's delegation if empty" />
          </div>
          <TransferKeyFields />
          <div data-types="template">
            <Select
              name="template"
              label="Template"
              choices={templates.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </div>
          <p class="mt-4">
            Afterwards, set these nameservers at the registrar or in the zone above: {ownNameservers.join(', ')}. If the
            zone above is in this account, the service delegates to the new zone by itself.
          </p>
          <FormActions submit="Host DNS" cancel="/add" />
        </PostForm>
      </section>
    </>
  );
}

function HiddenRecords({ hidden: { zoneName, records } }: { readonly hidden: RecordsHidden }) {
  return (
    <div class="alert warning mt-4" role="alert" tabIndex={-1} data-notice>
      <p>
        {displayName(zoneName)} has records at or below this name. Resolvers no longer see them there once it delegates
        the name:
      </p>
      <ul>
        {records.slice(0, MAX_SHOWN).map((record) => (
          <li key={record}>
            <code>{record}</code>
          </li>
        ))}
        {records.length > MAX_SHOWN && <li>{records.length - MAX_SHOWN} more</li>}
      </ul>
      <Checkbox name="move_records" label="Move these records into the new zone" />
    </div>
  );
}
