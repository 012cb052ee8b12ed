import type { DomainState } from '../../../../domain/registration/domain';
import { ACTION_LINKS, CHECK_TITLES } from '../../health/health-labels';
import { Cell, Row, Table } from '../../layout/components';
import { hasPage } from '../../layout/domain/domain-parts';
import { MayDo } from '../../layout/may-do';
import { connect, layoutNarrow, layoutWide, type MapLayout } from './map-layout';
import {
  isBroken,
  type DelegationMap as Model,
  type MapEdge,
  type MapPart,
  type MapStep,
  type PartKind,
} from './map-parts';
import { ShapeAt, STATE_WORDS, StateShape } from './state-shape';

interface DelegationMapProps {
  readonly map: Model;
  readonly domain: DomainState;
}

/** How many letters a line of a part has room for. */
const [WIDE, NARROW] = [27, 20];

/** The map twice, for wide and narrow screens, of which one is shown; what to do at its broken edges; the same as a table. */
export function DelegationMap({ map, domain }: DelegationMapProps) {
  const [wide, narrow] = [wrapLines(map, WIDE), wrapLines(map, NARROW)];
  return (
    <>
      <div class="map-drawing">
        <Drawing map={wide} layout={layoutWide(wide)} class="wide" letters={WIDE} />
        <Drawing map={narrow} layout={layoutNarrow(narrow)} class="tall" letters={NARROW} />
      </div>
      {map.steps.length > 0 && (
        <ol class="map-steps" aria-label="What to do">
          {map.steps.map((step) => (
            <Step key={step.check} step={step} domain={domain} />
          ))}
        </ol>
      )}
      <details class="map-table">
        <summary>The map as a table</summary>
        <Table
          caption="The way from the registry to the resolvers"
          columns={['Part', 'State', 'What is known', 'Leads to']}
        >
          {map.parts.map((part) => (
            <PartRow key={part.id} part={part} map={map} />
          ))}
        </Table>
      </details>
    </>
  );
}

function Drawing({
  map,
  layout,
  class: className,
  letters,
}: {
  readonly map: Model;
  readonly layout: MapLayout;
  readonly class: string;
  readonly letters: number;
}) {
  return (
    <svg
      class={`map ${className}`}
      viewBox={`-2 -2 ${layout.width + 4} ${layout.height + 4}`}
      role="img"
      aria-label={describe(map)}
    >
      {map.edges.map((edge) => (
        <Edge key={`${edge.from} ${edge.to}`} edge={edge} layout={layout} />
      ))}
      {map.parts.map((part) => (
        <Part key={part.id} part={part} layout={layout} letters={letters} />
      ))}
      {map.steps.map((step, index) => (
        <Mark key={step.check} step={step} number={index + 1} map={map} layout={layout} />
      ))}
    </svg>
  );
}

function Edge({
  edge: { from, to, state },
  layout: { boxes },
}: {
  readonly edge: MapEdge;
  readonly layout: MapLayout;
}) {
  const [start, end] = [boxes.get(from), boxes.get(to)];
  return start && end ? <path class={`edge ${state}`} d={connect(start, end).path} /> : null;
}

function Part({
  part: { id, kind, state, title, lines },
  layout: { boxes },
  letters,
}: {
  readonly part: MapPart;
  readonly layout: MapLayout;
  readonly letters: number;
}) {
  const box = boxes.get(id);
  if (!box) return null;
  return (
    <g class={`part ${state}`}>
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx="6" />
      <ShapeAt state={state} x={box.x + 10} y={box.y + 10} />
      <text class={HOSTS.has(kind) ? 'title host' : 'title'} x={box.x + 31} y={box.y + 21.5}>
        {clip(title, letters - 3)}
      </text>
      {lines.map((line, index) => (
        <text key={index} x={box.x + 11} y={box.y + 41 + index * 16}>
          {clip(line, letters)}
        </text>
      ))}
    </g>
  );
}

/** Their titles are host names. */
const HOSTS: ReadonlySet<PartKind> = new Set(['nameserver', 'secondary']);

/** The number of a step, at the first edge that it is about. */
function Mark({
  step,
  number,
  map: { edges },
  layout: { boxes },
}: {
  readonly step: MapStep;
  readonly number: number;
  readonly map: Model;
  readonly layout: MapLayout;
}) {
  const edge = edges.find(({ steps }) => steps?.some(({ check }) => check === step.check));
  const [from, to] = [boxes.get(edge?.from ?? ''), boxes.get(edge?.to ?? '')];
  if (!edge || !from || !to) return null;
  const middle = connect(from, to);
  const [x, y] = [middle.x + (edge.steps ?? []).findIndex(({ check }) => check === step.check) * 22, middle.y];
  return (
    <g class={`mark ${step.state}`}>
      <circle cx={x} cy={y} r="10" />
      <text x={x} y={y + 4.5}>
        {number}
      </text>
    </g>
  );
}

function Step({
  step: { check, state, summary, advice, action },
  domain,
}: {
  readonly step: MapStep;
  readonly domain: DomainState;
}) {
  const link = action ? ACTION_LINKS[action] : undefined;
  return (
    <li>
      <StateShape state={state} /> <strong>{CHECK_TITLES[check]}:</strong> {summary} {advice}{' '}
      {link && hasPage(domain, link[0]) && (
        <MayDo action={link[2]}>
          <a href={`/domains/${domain.id}/${link[0]}`}>{link[1]}</a>
        </MayDo>
      )}{' '}
      <a href={`/domains/${domain.id}/health#check-${check}`}>
        What was found<span class="visually-hidden"> by the check {CHECK_TITLES[check]}</span>
      </a>
    </li>
  );
}

function PartRow({ part, map }: { readonly part: MapPart; readonly map: Model }) {
  const next = map.edges.filter(({ from }) => from === part.id);
  return (
    <Row>
      <Cell label="Part">{part.title}</Cell>
      <Cell label="State">{STATE_WORDS[part.state]}</Cell>
      <Cell label="What is known">{part.lines.join('; ')}</Cell>
      <Cell label="Leads to">
        {next
          .map(({ to, state }) => `${map.parts.find(({ id }) => id === to)?.title ?? ''} (${STATE_WORDS[state]})`)
          .join(', ')}
      </Cell>
    </Row>
  );
}

/** The text alternative: the whole is in the table. */
function describe({ parts, edges, steps }: Model): string {
  const broken = edges.filter(({ state }) => isBroken(state)).length;
  const unknown = edges.filter(({ state }) => state === 'unknown').length;
  const ways = `${edges.length} ${edges.length === 1 ? 'way' : 'ways'} between ${parts.length} parts`;
  const states = [
    broken === 0 ? 'none is known to be broken' : `${broken} ${broken === 1 ? 'is' : 'are'} broken`,
    ...(unknown > 0 ? [`${unknown} ${unknown === 1 ? 'is' : 'are'} not known`] : []),
  ];
  const what = steps.map(({ summary }) => summary);
  return [`Delegation map: ${ways}, ${states.join(', ')}.`, ...what, 'The table below says the same.'].join(' ');
}

/** Breaks the lines of the parts at spaces; a word that is longer than a line stays whole. */
function wrapLines(map: Model, letters: number): Model {
  const line = new RegExp(`[^ ].{0,${letters - 1}}(?= |$)|[^ ]+`, 'g');
  return {
    ...map,
    parts: map.parts.map((part) => ({ ...part, lines: part.lines.flatMap((text) => text.match(line) ?? []) })),
  };
}

function clip(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}
