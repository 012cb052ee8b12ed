/** How long a zone's past is kept: for so many days, and so many versions at least. */
export interface HistorySettings {
  readonly days: number;
  readonly versions: number;
}
export const HistorySettings = Symbol('HistorySettings');
