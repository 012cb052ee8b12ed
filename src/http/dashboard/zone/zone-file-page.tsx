import { TSIG_ALGORITHMS } from '../../../domain/dns/secondaries/tsig-key';
import type { ImportMode } from '../../../application/dns/zones/zone-files/import-zone-file';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainLayout } from '../layout/domain/domain-layout';
import type { FormIssues } from '../form-issues';
import { Checkbox, Field, Radios, Select, TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { Card } from '../layout/components';
import { MayChangeRecords } from './may-change-records';

/** Asks for the records that another DNS provider has for itself. */
export const PROVIDER_FIELD = 'provider_records';

interface ZoneFilePageProps {
  readonly domain: DomainState;
  /** The file as HTML, or a placeholder for it. */
  readonly textHtml: string;
  readonly mode: ImportMode;
  readonly withProviderRecords: boolean;
  readonly issues: FormIssues | undefined;
  /** About the form that reads the zone from other nameservers. */
  readonly sourceIssues: FormIssues | undefined;
  /** What that form contained, without the secret. */
  readonly sourceValues: FormValues | undefined;
}

const MODES = [
  { value: 'replace', label: 'Replace them', hint: 'The zone has the records of the file afterwards' },
  { value: 'add', label: 'Keep them', hint: 'The records of the file are added' },
];
const SOURCES = [
  { value: 'lookup', label: 'Ask the nameservers for usual names' },
  { value: 'transfer', label: 'Transfer the zone (AXFR)' },
  { value: 'registrar', label: 'DNS service of the registrar' },
];
const ALGORITHMS = TSIG_ALGORITHMS.map((algorithm) => ({ value: algorithm, label: algorithm }));

export function ZoneFilePage({
  domain,
  textHtml,
  mode,
  withProviderRecords,
  issues,
  sourceIssues,
  sourceValues,
}: ZoneFilePageProps) {
  const path = `/domains/${domain.id}/zone-file`;
  return (
    <DomainLayout domain={domain} tab="zone-file">
      <Card title="Export">
        <p>Download the zone as a zone file (RFC 1035).</p>
        <p class="mt-4">
          <a class="button" href={`${path}/export`}>
            Download {domain.name}.zone
          </a>
        </p>
      </Card>
      <MayChangeRecords domain={domain}>
        <Card title="Read the present zone">
          <p>
            Reads the records that other nameservers serve for the domain into the form below. Questions for usual names
            miss other names: compare the result with what you know.
          </p>
          <PostForm action={`${path}/read`} id="read" values={sourceValues} issues={sourceIssues}>
            <div class="fields">
              <Select name="source" label="Source" choices={SOURCES} togglesFields />
              <div data-types="transfer">
                <Field
                  name="nameserver"
                  label="Nameserver (optional)"
                  hint="For a transfer; the first nameserver of the domain if empty"
                />
              </div>
            </div>
            <TransferKeyFields />
            <button type="submit">Read zone</button>
          </PostForm>
        </Card>
        <Card title="Import">
          <p>The preview shows the changes before you apply them.</p>
          <PostForm
            action={`${path}/plan`}
            upload
            values={{ mode, [PROVIDER_FIELD]: withProviderRecords ? 'on' : undefined }}
            issues={issues}
          >
            <Radios name="mode" label="Records that the zone has now" choices={MODES} />
            <Checkbox
              name={PROVIDER_FIELD}
              label="Also import the nameservers and DNSSEC keys of another DNS provider, which is to serve the domain, too"
            />
            <p class="mt-4" data-scripted hidden>
              <label class="button quiet">
                Choose file{' '}
                <input
                  class="visually-hidden"
                  type="file"
                  data-fill-target="text"
                  accept=".zone,.txt,.db,text/plain,text/dns"
                />
              </label>
            </p>

            <TextArea name="text" label="Zone file" rows={14} required html={textHtml} />
            <button class="primary" type="submit">
              Preview import
            </button>
          </PostForm>
        </Card>
      </MayChangeRecords>
    </DomainLayout>
  );
}

/** The key of a transfer (TSIG), for the source `transfer`. */
export function TransferKeyFields() {
  return (
    <div data-types="transfer">
      <div class="fields">
        <Field
          name="tsig.name"
          label="TSIG key (optional)"
          autocomplete="off"
          hint="For a transfer that the nameserver allows only with a key"
        />
        <Select name="tsig.algorithm" label="Algorithm" choices={ALGORITHMS} />
        <Field
          name="tsig.secret"
          label="Secret"
          type="password"
          autocomplete="new-password"
          hint="In base64. It is used once and not stored."
        />
      </div>
    </div>
  );
}
