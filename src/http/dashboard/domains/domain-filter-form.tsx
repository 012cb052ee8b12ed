import type { FilterChoices } from '../../../application/portfolio/domain-filters';
import { HEALTH_STATES } from '../../../domain/health/health-check';
import { VISIBLE_STATUSES } from '../../../domain/registration/domain-status';
import { STATE_LABELS } from '../health/health-labels';
import { ListFilterForm } from '../layout/list-filter-form';
import { COLUMNS, type Column } from './domain-columns';
import { STATUS_LABELS } from '../layout/domain/domain-labels';
import type { DomainListQuery } from './domain-list-query';

const EXPORT_ID = 'export';

type Option = readonly [value: string, label: string];

const NAMESERVERS: readonly Option[] = [
  ['ours', 'ours'],
  ['foreign', 'others'],
];
const EXPIRIES: readonly Option[] = [7, 30, 60, 90, 365].map((days) => [String(days), `within ${days} days`]);

interface DomainFilterFormProps {
  readonly query: DomainListQuery;
  readonly choices: FilterChoices;
  readonly columns: readonly Column[];
}

export function DomainFilterForm({ query, choices, columns }: DomainFilterFormProps) {
  const { given, order, descending } = query;
  const more = Object.keys(given).filter((name) => name !== 'name' && name !== 'status').length;
  return (
    <ListFilterForm
      action="/domains"
      list="results"
      alsoReplace={EXPORT_ID}
      search={given.name ?? ''}
      placeholder="Part of a name"
    >
      <FilterSelect
        name="status"
        label="Status"
        value={given.status}
        options={VISIBLE_STATUSES.map((each) => [each, STATUS_LABELS[each].label])}
      />
      {(order !== 'name' || descending) && (
        <input type="hidden" name="sort" value={`${descending ? '-' : ''}${order}`} />
      )}
      <details class="more-filters" open={more > 0 || query.columns !== undefined}>
        <summary>Filters and columns{more > 0 && ` (${more})`}</summary>
        <div class="filter-fields">
          <FilterSelect name="tag" label="Tag" value={given.tag} options={asOptions(choices.tags)} />
          <FilterSelect name="tld" label="TLD" value={given.tld} options={asOptions(choices.tlds)} />
          <FilterSelect
            name="registrar"
            label="Registrar"
            value={given.registrar}
            options={asOptions(choices.registrars)}
          />
          <FilterSelect
            name="auto_renew"
            label="Auto-renewal"
            value={given.auto_renew}
            options={[
              ['false', 'off'],
              ['true', 'on'],
            ]}
          />
          <FilterSelect
            name="transfer_locked"
            label="Transfer lock"
            value={given.transfer_locked}
            options={[
              ['false', 'off'],
              ['true', 'on'],
            ]}
          />
          <div class="field">
            <label for="nameserver">Nameserver</label>
            <input
              id="nameserver"
              name="nameserver"
              value={given.nameserver}
              placeholder="ours or a host"
              list="nameserver-choices"
              spellcheck={false}
              autocomplete="off"
            />
            <datalist id="nameserver-choices">
              {NAMESERVERS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </datalist>
          </div>
          <FilterSelect
            name="health"
            label="Health"
            value={given.health}
            options={HEALTH_STATES.map((each) => [each, STATE_LABELS[each].label])}
          />
          <FilterSelect name="expires_within" label="Expires" value={given.expires_within} options={EXPIRIES} />
          <FilterDate name="expires_from" label="Expires from" value={given.expires_from} />
          <FilterDate name="expires_before" label="Expires before" value={given.expires_before} />
          <fieldset class="field columns-field">
            <legend>Columns</legend>
            {[...COLUMNS].map(([column, { label }]) => (
              <label key={column} class="check">
                <input type="checkbox" name="col" value={column} checked={columns.includes(column)} />
                <span>{label}</span>
              </label>
            ))}
          </fieldset>
        </div>
      </details>
    </ListFilterForm>
  );
}

/** Also offers a value of the URL that is no option otherwise. */
function FilterSelect({
  name,
  label,
  value,
  options,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly Option[];
}) {
  const isKnown = value === undefined || options.some(([each]) => each === value);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">All</option>
        {(isKnown ? options : [...options, [value, value] as const]).map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function FilterDate({
  name,
  label,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
}) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input id={name} name={name} type="date" value={value} />
    </div>
  );
}

function asOptions(values: readonly string[]): readonly Option[] {
  return values.map((value) => [value, value]);
}
