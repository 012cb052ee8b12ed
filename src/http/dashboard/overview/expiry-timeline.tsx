import type { Expiring } from '../../../application/ports/registration/domain-repository';
import { addDays, DAY_MS } from '../../../domain/shared/calendar';
import { formatShortDate } from '../layout/dates';

const WEEKS = 13;
const WIDTH = 520;
const STEP = WIDTH / WEEKS;
const BAR = 22;
const HIGHEST = 74;
const BASE = 92;
const DAY_AND_MONTH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A stacked bar for each week: domains that will be renewed, and on top those that will expire. The title has the numbers for screen readers. */
export function ExpiryTimeline({ from, expiring }: { readonly from: Date; readonly expiring: readonly Expiring[] }) {
  const total = expiring.reduce((sum, { renewing, ending }) => sum + renewing + ending, 0);
  if (total === 0) return <p class="lead">No domain expires in the next 90 days.</p>;
  const highest = Math.max(...expiring.map(({ renewing, ending }) => renewing + ending));
  const weeks = Array.from({ length: WEEKS }, (_, index) => {
    const start = addDays(from, index * 7);
    return {
      start,
      ...(expiring.find(({ from: at }) => at.getTime() === start.getTime()) ?? { renewing: 0, ending: 0 }),
    };
  });
  return (
    <figure class="timeline">
      <svg viewBox={`0 0 ${WIDTH} 110`} role="img" aria-labelledby="timeline-title">
        <title id="timeline-title">{summarize(weeks, total)}</title>
        <line x1="0" y1={BASE} x2={WIDTH} y2={BASE} class="axis" />
        {weeks.map(({ start, renewing, ending }, index) => (
          <Week
            key={start.getTime()}
            index={index}
            start={start}
            renewing={renewing}
            ending={ending}
            scale={HIGHEST / highest}
          />
        ))}
      </svg>
      <figcaption class="legend">
        <span class="legend-key renewing">will be renewed</span>
        <span class="legend-key ending">will expire</span>
      </figcaption>
    </figure>
  );
}

/** Keeps the outermost labels inside the picture. */
const LABEL_ANCHORS: Readonly<Record<number, 'start' | 'end'>> = { 0: 'start', [WEEKS - 1]: 'end' };

function getLabelX(index: number, x: number): number {
  if (index === 0) return 0;
  return index === WEEKS - 1 ? WIDTH : x + BAR / 2;
}

interface WeekProps {
  readonly index: number;
  readonly start: Date;
  readonly renewing: number;
  readonly ending: number;
  readonly scale: number;
}

function Week({ index, start, renewing, ending, scale }: WeekProps) {
  const x = index * STEP + (STEP - BAR) / 2;
  const [low, high] = [renewing * scale, ending * scale];
  const count = renewing + ending;
  return (
    <g>
      {renewing > 0 && <rect class="renewing" x={x} y={BASE - low} width={BAR} height={low} rx="2" />}
      {ending > 0 && <rect class="ending" x={x} y={BASE - low - high} width={BAR} height={high} rx="2" />}
      {count > 0 && (
        <text class="amount" x={x + BAR / 2} y={BASE - low - high - 4}>
          {count}
        </text>
      )}
      {index % 2 === 0 && (
        <text
          class={index % 4 === 0 ? 'date' : 'date minor'}
          x={getLabelX(index, x)}
          y={BASE + 14}
          text-anchor={LABEL_ANCHORS[index] ?? 'middle'}
        >
          {DAY_AND_MONTH.format(start)}
        </text>
      )}
    </g>
  );
}

function summarize(
  weeks: readonly { readonly start: Date; readonly renewing: number; readonly ending: number }[],
  total: number,
): string {
  const parts = weeks.flatMap(({ start, renewing, ending }) => {
    if (renewing + ending === 0) return [];
    const last = new Date(start.getTime() + 6 * DAY_MS);
    return [
      `${formatShortDate(start)} to ${formatShortDate(last)}: ${renewing} will be renewed, ${ending} will expire`,
    ];
  });
  return `${total} ${total === 1 ? 'domain expires' : 'domains expire'} in the next 90 days. ${parts.join('; ')}.`;
}
