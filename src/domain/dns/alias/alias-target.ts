import { MIN_TTL } from '../records/dns-record';
import { ADDRESS_TYPES, type AddressType } from './alias-chain';

/** The addresses of one type that a target has. */
export interface TargetAnswer {
  readonly addresses: readonly string[];
  /** Seconds, as the resolver returned it. */
  readonly ttl: number;
  readonly answeredAt: Date;
  /** The TTL that zones publish, and the TTLs of the last look-ups with these addresses, newest first. Absent in older rows. */
  readonly published?: { readonly ttl: number; readonly seen: readonly number[] };
}

/** What is known of the target of one or more ALIAS records. */
export interface AliasTarget {
  /** In lower case without the trailing dot. */
  readonly target: string;
  /** A type without an answer is not known yet. */
  readonly answers: Readonly<Partial<Record<AddressType, TargetAnswer>>>;
  /** What is wrong; null if nothing is. */
  readonly error: string | null;
  /** Since when the resolver has not answered for at least one type. */
  readonly failingSince: Date | null;
  /** Look-ups that failed since the last one that succeeded. */
  readonly failures: number;
  /** The last look-up; null before the first. */
  readonly checkedAt: Date | null;
  /** The next look-up. */
  readonly dueAt: Date;
}

/** The outcome of one look-up. */
export type TargetLookup =
  | {
      readonly kind: 'answered';
      readonly addresses: readonly string[];
      readonly ttl: number;
      /** Why not all addresses of the target are among them. */
      readonly problem?: string | undefined;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** How long the last good answer is served while the resolver fails. */
const KEEP_ANSWER_MS = 24 * 3_600_000;
/** A longer TTL is not waited for: operators empty the caches of resolvers. */
const MAX_INTERVAL_S = 3_600;
/**
 * The TTL of an answer from a cache is what remained of it. The highest of some look-ups stands for the TTL at the target, and is
 * followed if it differs by this factor, so that the serial does not rise at each look-up.
 */
const TTLS_SEEN = 3;
const FOLLOWED_FACTOR = 2;
const FIRST_RETRY_MS = 30_000;
const MAX_DOUBLINGS = 5;

export function newTarget(target: string, now: Date): AliasTarget {
  return { target, answers: {}, error: null, failingSince: null, failures: 0, checkedAt: null, dueAt: now };
}

/** The target after a look-up of both types. A failure keeps the last good answer for `KEEP_ANSWER_MS`. */
export function afterLookups(
  before: AliasTarget,
  lookups: Readonly<Record<AddressType, TargetLookup>>,
  now: Date,
): AliasTarget {
  const hasFailed = ADDRESS_TYPES.some((type) => lookups[type].kind === 'failed');
  const failingSince = hasFailed ? (before.failingSince ?? now) : null;
  const failures = hasFailed ? before.failures + 1 : 0;
  const answers: Partial<Record<AddressType, TargetAnswer>> = {};
  for (const type of ADDRESS_TYPES) {
    const answer = answerAfter(before.answers[type], lookups[type], failingSince ?? now, now);
    if (answer) answers[type] = answer;
  }
  return {
    target: before.target,
    answers,
    error: errorOf(lookups),
    failingSince,
    failures,
    checkedAt: now,
    dueAt: new Date(now.getTime() + Math.min(intervalMs(lookups), hasFailed ? retryMs(failures) : Infinity)),
  };
}

/** Whether zones publish something else: other addresses, or another TTL. */
export function isPublishedOtherwise(one: AliasTarget['answers'], other: AliasTarget['answers']): boolean {
  return ADDRESS_TYPES.some((type) => {
    const [before, after] = [one[type], other[type]];
    if (!isSameSet(before?.addresses, after?.addresses)) return true;
    return before?.published !== undefined && before.published.ttl !== after?.published?.ttl;
  });
}

export function isSameSet(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return one?.join() === other?.join();
}

function answerAfter(
  before: TargetAnswer | undefined,
  lookup: TargetLookup,
  failingSince: Date,
  now: Date,
): TargetAnswer | undefined {
  if (lookup.kind === 'answered') {
    const { addresses, ttl } = lookup;
    const present = isSameSet(before?.addresses, addresses) ? before : undefined;
    return { addresses, ttl, answeredAt: now, published: publishedAfter(present, ttl) };
  }
  const lastGood = before?.answeredAt ?? failingSince;
  if (now.getTime() - lastGood.getTime() < KEEP_ANSWER_MS) return before;
  return { addresses: [], ttl: MIN_TTL, answeredAt: lastGood };
}

function publishedAfter(present: TargetAnswer | undefined, ttl: number): NonNullable<TargetAnswer['published']> {
  if (!present) return { ttl, seen: [ttl] };
  const { ttl: published, seen: earlier } = present.published ?? { ttl: present.ttl, seen: [present.ttl] };
  const seen = [ttl, ...earlier].slice(0, TTLS_SEEN);
  const highest = Math.max(...seen);
  // Beyond the longest interval, the rest of a TTL only shows when the resolver last asked.
  const [of, to] = [published, highest].map((each) => Math.max(MIN_TTL, Math.min(each, MAX_INTERVAL_S)));
  const isFollowed =
    seen.length === TTLS_SEEN &&
    of !== undefined &&
    to !== undefined &&
    Math.max(of, to) >= FOLLOWED_FACTOR * Math.min(of, to);
  return { ttl: isFollowed ? highest : published, seen };
}

function errorOf(lookups: Readonly<Record<AddressType, TargetLookup>>): string | null {
  const errors = ADDRESS_TYPES.flatMap((type) => {
    const lookup = lookups[type];
    const error = lookup.kind === 'failed' ? lookup.reason : lookup.problem;
    return error === undefined ? [] : [{ type, error }];
  });
  const [first, second] = errors;
  if (!first) return null;
  if (second?.error === first.error) return first.error;
  return errors.map(({ type, error }) => `${type}: ${error}`).join('; ');
}

function retryMs(failures: number): number {
  return FIRST_RETRY_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
}

/** A type whose look-up failed does not hold up the other one. */
function intervalMs(lookups: Readonly<Record<AddressType, TargetLookup>>): number {
  const ttls = ADDRESS_TYPES.map((type) => lookups[type]).flatMap((lookup) =>
    lookup.kind === 'answered' ? [lookup.ttl] : [],
  );
  return 1_000 * Math.min(MAX_INTERVAL_S, Math.max(MIN_TTL, Math.min(...ttls)));
}
