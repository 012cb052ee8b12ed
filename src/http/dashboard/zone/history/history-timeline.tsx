import type { ZoneVersion } from '../../../../application/ports/dns/zone-repository';
import { formatDate } from '../../../../domain/shared/time/date-text';
import { Card, DateTime } from '../../layout/components';
import { useTimeZone } from '../../layout/page-context';

const KINDS = ['added', 'changed', 'removed'] as const;
type Kind = (typeof KINDS)[number];
type Counts = Readonly<Record<Kind, number>>;

/** Of the space of a version. */
const SLOT = 18;
const NARROWEST = 240;
const WIDEST_BAR = 14;
/** The most that rises above the axis, and that hangs below it. */
const HIGHEST = 44;
const LOWEST = 3;
/** Bars of a zone with few changes stay low. */
const LOWEST_TOP = 9;
const AXIS = HIGHEST + 4;

/** How much each version changed, the oldest one first: a picture of the table below it. Nothing for a single version. */
export function HistoryTimeline({ versions }: { /** Newest first. */ readonly versions: readonly ZoneVersion[] }) {
  const timeZone = useTimeZone();
  const [first, last] = [versions.at(-1), versions[0]];
  if (!first || !last || first === last) return null;
  const counts = totalsOf(versions);
  const shown = KINDS.filter((kind) => counts[kind] > 0);
  const label = `Versions ${first.version} to ${last.version}, from ${formatDate(first.at, timeZone)} to ${formatDate(last.at, timeZone)}: ${describe(counts)}. The table below has each version.`;
  return (
    <Card title="Changes over time" class="history-card">
      <figure class="history-timeline">
        <Drawing versions={versions.toReversed()} label={label} timeZone={timeZone} />
        <p class="ends small">
          <span>
            Version {first.version}, <DateTime at={first.at} />
          </span>
          <span>
            Version {last.version}, <DateTime at={last.at} />
          </span>
        </p>
        <figcaption class="small">
          {shown.map((kind) => (
            <span key={kind}>
              <span class={`history-key ${kind}`} aria-hidden="true" /> {counts[kind].toLocaleString('en')} {kind}
            </span>
          ))}
        </figcaption>
      </figure>
    </Card>
  );
}

function Drawing({
  versions,
  label,
  timeZone,
}: {
  readonly versions: readonly ZoneVersion[];
  readonly label: string;
  readonly timeZone: string;
}) {
  const width = Math.max(NARROWEST, versions.length * SLOT);
  const slot = width / versions.length;
  const barWidth = Math.min(WIDEST_BAR, slot - 4);
  const scale = scaleFor(
    Math.max(LOWEST_TOP, ...versions.flatMap(({ added, changed, removed }) => [added + changed, removed])),
  );
  const height = AXIS + (versions.some(({ removed }) => removed > 0) ? HIGHEST : LOWEST) + 2;
  const paths: Record<Kind | 'none', string> = { added: '', changed: '', removed: '', none: '' };
  for (const [index, { added, changed, removed }] of versions.entries()) {
    const x = round(index * slot + (slot - barWidth) / 2);
    const bar = (y: number, size: number) => `M${x} ${round(y)}h${round(barWidth)}v${round(size)}h-${round(barWidth)}z`;
    const above = scale(added + changed);
    const ofAdded = added === 0 ? 0 : (above * added) / (added + changed);
    if (added > 0) paths.added += bar(AXIS, -ofAdded);
    if (changed > 0) paths.changed += bar(AXIS - ofAdded, ofAdded - above);
    if (removed > 0) paths.removed += bar(AXIS, scale(removed));
    if (added + changed + removed === 0) paths.none += bar(AXIS - 1, 2);
  }
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path
        class="days"
        d={daysOf(versions, timeZone)
          .map((index) => `M${round(index * slot)} 0V${height}`)
          .join('')}
      />
      <path class="axis" d={`M0 ${AXIS}H${width}`} />
      {Object.entries(paths).map(([kind, path]) => path !== '' && <path key={kind} class={kind} d={path} />)}
    </svg>
  );
}

/** Roots, so that a version that replaces a zone leaves others visible. */
function scaleFor(most: number): (count: number) => number {
  return (count) => (count === 0 ? 0 : Math.max(LOWEST, HIGHEST * Math.sqrt(count / most)));
}

/** The places of the versions that are the first of their days. */
function daysOf(versions: readonly ZoneVersion[], timeZone: string): readonly number[] {
  const days = versions.map(({ at }) => formatDate(at, timeZone));
  return [...days.keys()].filter((index) => index > 0 && days[index] !== days[index - 1]);
}

function totalsOf(versions: readonly ZoneVersion[]): Counts {
  const total = (kind: Kind) => versions.reduce((sum, version) => sum + version[kind], 0);
  return { added: total('added'), changed: total('changed'), removed: total('removed') };
}

function describe(counts: Counts): string {
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind].toLocaleString('en')} ${kind}`);
  return parts.length === 0 ? 'no records changed' : `records ${parts.join(', ')}`;
}

function round(length: number): number {
  return Number(length.toFixed(1));
}
