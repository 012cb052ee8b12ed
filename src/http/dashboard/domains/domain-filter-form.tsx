import type { FilterChoices } from '../../../application/portfolio/domain-filters';
import { HEALTH_STATES } from '../../../domain/health/health-check';
import { STATUSES_OF } from '../../../application/ports/registration/domain-repository';
import { STATE_LABELS } from '../health/health-labels';
import { ListFilterForm } from '../layout/forms/list-filter-form';
import { COLUMNS, type Column } from './domain-columns';
import { STATUS_LABELS } from '../layout/domain/domain-labels';
import type { DomainListQuery } from './domain-list-query';
import { LIST_TOOLS_ID } from './filter-chips';
import { Icon } from '../layout/icon';

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
  const more = Object.keys(given).filter((name) => name !== 'name').length;
  return (
    <ListFilterForm
      action="/domains"
      list="results"
      alsoReplace={LIST_TOOLS_ID}
      search={given.name ?? ''}
      placeholder="Part of a name"
    >
      <details class="dropdown" id="filters">
        <summary class="button quiet">
          <Icon name="list-filter" /> <span>Filters{more > 0 && ` (${more})`}</span>
        </summary>
        <div class="dropdown-panel filter-fields">
          <FilterSelect
            name="status"
            label="Status"
            value={given.status}
            options={STATUSES_OF.names.map((each) => [each, STATUS_LABELS[each].label])}
          />
          <FilterSelect
            name="kind"
            label="Kind"
            value={given.kind}
            options={[
              ['registered', 'registered'],
              ['hosted', 'DNS only'],
            ]}
          />
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
        </div>
      </details>
      <details class="dropdown">
        <summary class="button quiet">
          <Icon name="columns-3" /> <span>View</span>
        </summary>
        <div class="dropdown-panel">
          <div class="field">
            <label for="sort">Sort by</label>
            <select id="sort" name="sort">
              <option value="">Name</option>
              <option value="-name" selected={order === 'name' && descending}>
                Name, descending
              </option>
              {[...COLUMNS].map(([column, { label, order: by }]) => (
                <>
                  <option key={column} value={by} selected={order === by && !descending}>
                    {label}
                  </option>
                  <option key={`-${column}`} value={`-${by}`} selected={order === by && descending}>
                    {label}, descending
                  </option>
                </>
              ))}
            </select>
          </div>
          <div class="field">
            <label for="rows">Rows</label>
            <select id="rows" name="rows">
              <option value="">Compact</option>
              <option value="roomy" selected={query.roomy}>
                Roomy
              </option>
            </select>
          </div>
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
