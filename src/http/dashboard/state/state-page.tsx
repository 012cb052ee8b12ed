import type { StateReport } from '../../../application/desired-state/read-state';
import { changesNothing } from '../../../domain/dns/zone-change';
import type { SettingChange } from '../../../domain/portfolio/desired-state';
import { getActorName, type ActorNames } from '../activity/actor-names';
import { Card, DateTime } from '../layout/components';
import { DomainLayout } from '../layout/domain/domain-layout';
import { PostForm } from '../layout/forms/forms';
import { ChangeView, listChangedRecords } from '../zone/change-view';

/** The state that a program applied to a name, and what was changed by hand since. */
export function StatePage({ report, names }: { readonly report: StateReport; readonly names: ActorNames }) {
  const { owner: domain, stored, drift, invalid } = report;
  return (
    <DomainLayout domain={domain} tab="records">
      {stored ? (
        <Card title="Desired state">
          <p>
            Applied <DateTime at={stored.appliedAt} /> by {getActorName(stored.actor, names)}
            {stored.state.records && `, for ${ownerText(stored.state.records.owner)}`}.
          </p>
          {invalid && (
            <>
              <p>The state can no longer be applied. Correct the name or the state:</p>
              <ul>
                {(invalid.details ?? invalid.message).split('\n').map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </>
          )}
          {drift && <Drift drift={drift} path={`/domains/${domain.id}/state`} canSetBack={!invalid} />}
        </Card>
      ) : (
        <Card title="Desired state">
          <p>No program has applied a desired state to this name.</p>
        </Card>
      )}
    </DomainLayout>
  );
}

interface DriftProps {
  readonly drift: NonNullable<StateReport['drift']>;
  readonly path: string;
  readonly canSetBack: boolean;
}

function Drift({ drift, path, canSetBack }: DriftProps) {
  const { change, settings, versions } = drift;
  if (changesNothing(change) && settings.length === 0) return <p>The name is as the state says.</p>;
  const expected = (
    <>
      <input type="hidden" name="zone" value={String(versions.zone)} />
      <input type="hidden" name="settings" value={versions.settings ?? ''} />
    </>
  );
  return (
    <>
      <h3>Changed by hand</h3>
      <p>{canSetBack ? 'To set the name back, these changes are made:' : 'The name differs from the state:'}</p>
      {!changesNothing(change) && <ChangeView changes={listChangedRecords(change)} />}
      {settings.length > 0 && (
        <dl class="details">
          {settings.map((each) => (
            <SettingRow key={each.name} change={each} />
          ))}
        </dl>
      )}
      {canSetBack && (
        <PostForm action={`${path}/set-back`}>
          {expected}
          <p class="actions">
            <button class="primary" type="submit">
              Set back
            </button>
          </p>
        </PostForm>
      )}
      <p>
        {canSetBack ? 'Or keep' : 'Keep'} the name as it is now, and make that the state. A program that applies its own
        state again sets it back.
      </p>
      <PostForm action={`${path}/adopt`}>
        {expected}
        <p class="actions">
          <button type="submit">Adopt</button>
        </p>
      </PostForm>
    </>
  );
}

function SettingRow({ change: { name, before, after } }: { readonly change: SettingChange }) {
  return (
    <>
      <dt>{SETTING_LABELS[name]}</dt>
      <dd>
        <del>{settingText(before)}</del> <ins>{settingText(after)}</ins>
      </dd>
    </>
  );
}

const SETTING_LABELS: Readonly<Record<SettingChange['name'], string>> = {
  nameservers: 'Nameservers',
  registrant: 'Registrant',
  transferLocked: 'Transfer lock',
  autoRenew: 'Auto-renewal',
  tags: 'Tags',
  dnssec: 'DNSSEC',
};

function settingText(value: SettingChange['before']): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if ('enabled' in value) return value.enabled ? ['on', value.denial?.toUpperCase()].filter(Boolean).join(', ') : 'off';
  return 'firstName' in value ? `${value.firstName} ${value.lastName}`.trim() : '';
}

function ownerText(owner: string | undefined): string {
  return owner === undefined ? 'all records of the zone' : `the records of “${owner}”`;
}
