import { MAX_NAME_LENGTH } from '../../records/record-name';

const LABEL = '_dsync';

/** Where a parent takes NOTIFY of its children, from a DSYNC record with the scheme NOTIFY (RFC 9859, section 2). */
export interface NotifyTarget {
  /** The type of NOTIFY: CDS for new CDS or CDNSKEY records. */
  readonly type: string;
  readonly host: string;
  readonly port: number;
}

/** A look-up of DSYNC records. First the parent zone is taken to be one label above; `apex` has no label before `_dsync`. */
export interface DsyncLookup {
  readonly name: string;
  readonly step: 'first' | 'second' | 'apex';
  /** The name of the parent zone as far as it is known. */
  readonly parent: string;
}

export function firstDsyncLookup(child: string): DsyncLookup {
  const [label = '', ...rest] = child.split('.');
  return { name: [label, LABEL, ...rest].join('.'), step: 'first', parent: rest.join('.') };
}

/**
 * The next look-up after a negative answer (RFC 9859, section 4.1); undefined if no target is available. Three at most, whatever a
 * parent answers. @param soaOwner of the SOA record in the answer, which tells where the parent zone begins
 */
export function nextDsyncLookup(
  child: string,
  { step, parent: above }: DsyncLookup,
  soaOwner: string,
): DsyncLookup | undefined {
  if (step === 'apex') return undefined;
  // `_dsync` can be a zone itself.
  const parent = soaOwner === LABEL ? '' : soaOwner.replace(/^_dsync\./, '');
  if (step === 'first' && isBelow(above, parent)) {
    const labels = [...below(child, parent), LABEL, ...labelsOf(parent)];
    return usable({ name: labels.join('.'), step: 'second', parent });
  }
  return usable({ name: [LABEL, ...labelsOf(above)].join('.'), step: 'apex', parent: above });
}

/** The target of the first usable record, of which there should be one. @param records the contents of DSYNC records */
export function notifyTarget(records: readonly string[], type: 'CDS' | 'CSYNC'): NotifyTarget | undefined {
  for (const record of records) {
    const [recordType, scheme, port, host = ''] = record.split(' ');
    if (recordType === type && scheme === 'NOTIFY' && Number(port) > 0)
      return { type, host: host.replace(/\.$/, ''), port: Number(port) };
  }
  return undefined;
}

function usable(lookup: DsyncLookup): DsyncLookup | undefined {
  return lookup.name.length <= MAX_NAME_LENGTH ? lookup : undefined;
}

function isBelow(name: string, parent: string): boolean {
  return parent === '' ? name !== '' : name.endsWith(`.${parent}`);
}

function below(child: string, parent: string): readonly string[] {
  const labels = child.split('.');
  return labels.slice(0, labels.length - labelsOf(parent).length);
}

function labelsOf(name: string): readonly string[] {
  return name === '' ? [] : name.split('.');
}
