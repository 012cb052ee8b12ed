import type { DelegationMap, MapPart, PartKind } from './map-parts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Box>;
}

const LINE = 16;
const PADDING = 34;
const GAP = 10;
const LANE_GAP = 26;

type Place = readonly [part: MapPart, box: Box];

/** In four columns: who delegates above who publishes, then the nameservers, then who asks them. The chain of trust is below. */
export function layoutWide({ parts }: DelegationMap): MapLayout {
  const [width, step] = [218, 256];
  const at = (column: number): number => column * step;
  const of = (...kinds: readonly PartKind[]) => parts.filter(({ kind }) => kinds.includes(kind));
  const [registry, parent, primary] = [of('registry'), of('parent'), of('primary')];
  const [secondaries, nameservers, resolver] = [of('secondary'), of('nameserver'), of('resolver')];
  const delegation = Math.max(heightOf(registry), heightOf(parent));
  const publishing = Math.max(heightOf(primary), heightOf(secondaries));
  const height = Math.max(delegation + LANE_GAP + publishing, heightOf(nameservers));
  const below = height - publishing;
  const trust = of('ds', 'keys', 'rollover', 'validation');
  const last = trust.length - 1;
  const places: readonly Place[] = [
    ...stack(registry, at(0), width, 0, delegation),
    ...stack(parent, at(1), width, 0, delegation),
    ...stack(primary, at(0), width, below, publishing),
    ...stack(secondaries, at(1), width, below, publishing),
    ...stack(nameservers, at(2), width, 0, height),
    ...stack(resolver, at(3), width, 0, height),
    ...trust.flatMap((part, index) =>
      stack([part], at(index === last ? 3 : index), width, height + LANE_GAP, heightOf([part])),
    ),
  ];
  return boxesOf(places, at(3) + width);
}

/** In two columns, from the top to the bottom. */
export function layoutNarrow({ parts }: DelegationMap): MapLayout {
  const [width, right] = [168, 192];
  const of = (...kinds: readonly PartKind[]) => parts.filter(({ kind }) => kinds.includes(kind));
  const places: Place[] = [];
  let y = 0;
  const row = (...cells: readonly (readonly MapPart[])[]): void => {
    const height = Math.max(...cells.map(heightOf));
    for (const [index, cell] of cells.entries()) places.push(...stack(cell, index * right, width, y, height));
    if (height > 0) y += height + LANE_GAP;
  };
  row(of('registry'), of('primary'));
  row(of('parent'), of('secondary'));
  const nameservers = of('nameserver');
  row(...[0, 1].map((side) => nameservers.filter((_, index) => index % 2 === side)));
  for (const part of of('resolver')) {
    places.push([part, { x: right / 2, y, width, height: heightOf([part]) }]);
    y += heightOf([part]) + LANE_GAP;
  }
  row(of('ds'), of('keys'));
  row(of('validation'), of('rollover'));
  return boxesOf(places, right + width);
}

/** A line from one box to another, curved, with its middle. */
export function connect(from: Box, to: Box): { readonly path: string; readonly x: number; readonly y: number } {
  const isBeside = to.x >= from.x + from.width || from.x >= to.x + to.width;
  const isBelow = to.y >= from.y + from.height;
  if (isBeside && !(isBelow && to.x !== from.x && Math.abs(to.x - from.x) < 200)) {
    const isRight = to.x > from.x;
    const [x1, y1] = [isRight ? from.x + from.width : from.x, from.y + from.height / 2];
    const [x2, y2] = [isRight ? to.x : to.x + to.width, to.y + to.height / 2];
    const bend = (x1 + x2) / 2;
    return { path: `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`, x: bend, y: (y1 + y2) / 2 };
  }
  const [x1, y1] = [from.x + from.width / 2, from.y + from.height];
  const [x2, y2] = [to.x + to.width / 2, to.y];
  const bend = (y1 + y2) / 2;
  return { path: `M${x1} ${y1}C${x1} ${bend} ${x2} ${bend} ${x2} ${y2}`, x: (x1 + x2) / 2, y: bend };
}

function heightOf(parts: readonly MapPart[]): number {
  return parts.reduce((sum, { lines }, index) => sum + PADDING + lines.length * LINE + (index > 0 ? GAP : 0), 0);
}

/** One below the other, in the middle of the height. */
function stack(parts: readonly MapPart[], x: number, width: number, top: number, height: number): readonly Place[] {
  let y = top + (height - heightOf(parts)) / 2;
  return parts.map((part): Place => {
    const box = { x, y, width, height: heightOf([part]) };
    y += box.height + GAP;
    return [part, box];
  });
}

function boxesOf(places: readonly Place[], width: number): MapLayout {
  const height = Math.max(...places.map(([, box]) => box.y + box.height));
  return { width, height, boxes: new Map(places.map(([{ id }, box]) => [id, box])) };
}
