import { EVENT_TYPES, type EventType } from './account-event';

export const TYPES_EXPECTATION = 'must be types of events or groups such as domain.*';

/** The types that a filter means: one type, or a group such as `domain.*`. None if there is no such type. */
export function typesMatching(wanted: string): readonly EventType[] {
  const isGroup = wanted.endsWith('.*');
  return EVENT_TYPES.filter((type) => (isGroup ? type.startsWith(wanted.slice(0, -1)) : type === wanted));
}
