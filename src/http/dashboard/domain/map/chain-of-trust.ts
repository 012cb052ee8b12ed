import { isHosted } from '../../../../domain/registration/domain-status';
import { formatDate } from '../../../../domain/shared/time/date-text';
import { SIGNING_LABELS } from '../../dnssec/describe-signing';
import { checkIn, stateOf, stepsOf, type MapEdge, type MapFacts, type MapPart, type PartState } from './map-parts';

/** From the DS records at the parent over the keys of the zone to who validates. Empty for a zone that is not signed. */
export function chainOfTrust(facts: MapFacts): {
  readonly parts: readonly MapPart[];
  readonly edges: readonly MapEdge[];
} {
  const {
    report,
    signing: { signing, keys },
  } = facts;
  const check = checkIn(report, 'dnssec');
  if (!signing) return signedElsewhere(facts);
  const { shownState, isRollingOver, waitsFor } = signing;
  const { until, dsRecords } = signing.toState();
  const isMoving = (shownState !== 'active' && shownState !== 'error') || isRollingOver;
  const own: PartState = shownState === 'error' ? 'problem' : isMoving ? 'moving' : 'ok';
  const chain: PartState = own === 'ok' ? stateOf(check) : own;
  const rollover = waitsFor === 'key_lifetime' ? until : null;
  const parts: readonly MapPart[] = [
    { id: 'ds', kind: 'ds', title: 'DS at the parent', state: chain, lines: [describeDs(dsRecords)] },
    { id: 'keys', kind: 'keys', title: keys.length === 1 ? 'Key' : 'Keys', state: own, lines: [keyTags(keys)] },
    {
      id: 'rollover',
      kind: 'rollover',
      title: isMoving ? 'On its way' : 'Next rollover',
      state: isMoving ? 'moving' : shownState === 'error' ? 'problem' : 'ok',
      lines: [
        isRollingOver
          ? 'the key is being replaced'
          : isMoving
            ? SIGNING_LABELS[shownState].label
            : describeRollover(rollover),
      ],
    },
    {
      id: 'validation',
      kind: 'validation',
      title: 'Validation',
      state: stateOf(check),
      lines: [VALIDATION[stateOf(check)]],
    },
  ];
  return {
    parts,
    edges: [
      { from: 'ds', to: 'keys', state: chain, steps: stepsOf(check) },
      { from: 'keys', to: 'rollover', state: own },
      { from: 'rollover', to: 'validation', state: stateOf(check) },
    ],
  };
}

const VALIDATION: Readonly<Record<ReturnType<typeof stateOf>, string>> = {
  ok: 'the chain is complete',
  warning: 'the chain is not complete',
  problem: 'resolvers reject answers',
  unknown: 'not checked yet',
  not_applicable: 'not used',
};

/** A zone that other nameservers sign: only the checks know of it. */
function signedElsewhere({ domain, report }: MapFacts): {
  readonly parts: readonly MapPart[];
  readonly edges: readonly MapEdge[];
} {
  const check = checkIn(report, 'dnssec');
  const state = stateOf(check);
  if (state === 'not_applicable' || (state === 'unknown' && !isHosted(domain.status))) return { parts: [], edges: [] };
  return {
    parts: [
      {
        id: 'ds',
        kind: 'ds',
        title: 'DS at the parent',
        state,
        lines: [state === 'unknown' ? 'not known' : 'present'],
      },
      { id: 'validation', kind: 'validation', title: 'Validation', state, lines: [VALIDATION[state]] },
    ],
    edges: [{ from: 'ds', to: 'validation', state, steps: stepsOf(check) }],
  };
}

function describeDs(dsRecords: readonly { readonly keyTag: number }[] | null): string {
  if (!dsRecords) return 'not set yet';
  return dsRecords.length === 0 ? 'removed' : [...new Set(dsRecords.map(({ keyTag }) => keyTag))].join(', ');
}

function keyTags(keys: readonly { readonly keyTag: number }[]): string {
  return keys.length === 0 ? 'not made yet' : keys.map(({ keyTag }) => `tag ${keyTag}`).join(', ');
}

function describeRollover(at: Date | null): string {
  return at ? formatDate(at) : 'when you ask for it';
}
