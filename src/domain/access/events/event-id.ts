/** Named by the feed of the account: a restored backup has another feed, so no id is ever given to two events. */
const EVENT_ID = /^evt_([0-9a-z]{10})([0-9a-z]{8})$/;
const POSITION_LENGTH = 8;
const BASE = 36;

export interface EventPlace {
  readonly feed: string;
  readonly position: number;
}

/** In the order of text, ids are in the order of the feed. */
export function eventIdOf({ feed, position }: EventPlace): string {
  return `evt_${feed}${position.toString(BASE).padStart(POSITION_LENGTH, '0')}`;
}

/** Undefined if the text is no event's id. */
export function parseEventId(text: string): EventPlace | undefined {
  const [, feed, position] = EVENT_ID.exec(text) ?? [];
  return feed === undefined || position === undefined ? undefined : { feed, position: Number.parseInt(position, BASE) };
}
