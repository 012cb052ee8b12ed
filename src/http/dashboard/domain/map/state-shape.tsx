import type { PartState } from './map-parts';

export const STATE_WORDS: Readonly<Record<PartState, string>> = {
  ok: 'OK',
  moving: 'on its way',
  warning: 'warning',
  problem: 'problem',
  unknown: 'not known',
  not_applicable: 'not used',
};

/** A sign of 14 by 14 units for each state, so that color alone never says it. */
const SHAPES: Readonly<Record<PartState, { readonly outline: string; readonly sign: string }>> = {
  ok: { outline: 'M7 0a7 7 0 1 1 0 14A7 7 0 1 1 7 0Z', sign: 'M3.8 7.2 6.1 9.5 10.3 4.9' },
  moving: { outline: 'M7 .5a6.5 6.5 0 1 1 0 13A6.5 6.5 0 1 1 7 .5Z', sign: 'M7 3.4V7.3L9.6 8.8' },
  warning: { outline: 'M7 .5 14 13.5H0Z', sign: 'M7 5V9.2M7 11.2V11.8' },
  problem: { outline: 'M4.1 0H9.9L14 4.1V9.9L9.9 14H4.1L0 9.9V4.1Z', sign: 'M4.6 4.6 9.4 9.4M9.4 4.6 4.6 9.4' },
  unknown: {
    outline: 'M7 .5a6.5 6.5 0 1 1 0 13A6.5 6.5 0 1 1 7 .5Z',
    sign: 'M5.2 5.4C5.2 3.1 8.8 3.1 8.8 5.3 8.8 6.7 7 6.7 7 8.3M7 10.2V10.7',
  },
  not_applicable: { outline: 'M7 .5a6.5 6.5 0 1 1 0 13A6.5 6.5 0 1 1 7 .5Z', sign: 'M4.3 7H9.7' },
};

/** Part of a drawing. */
export function ShapeAt({ state, x, y }: { readonly state: PartState; readonly x: number; readonly y: number }) {
  return (
    <g class={`shape ${state}`} transform={`translate(${x} ${y})`}>
      <path class="outline" d={SHAPES[state].outline} />
      <path class="sign" d={SHAPES[state].sign} />
    </g>
  );
}

/** Beside a text that does not say the state. */
export function StateShape({ state }: { readonly state: PartState }) {
  return (
    <>
      <svg class="state-shape" viewBox="-1 -1 16 16" width="18" height="18" aria-hidden="true">
        <ShapeAt state={state} x={0} y={0} />
      </svg>
      <span class="visually-hidden">{STATE_WORDS[state]}: </span>
    </>
  );
}
