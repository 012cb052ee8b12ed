/** A message that could not be acted upon. */
export interface UnheededMessage {
  readonly registry: string;
  /** The registry's own, of any length. */
  readonly messageId: string;
  /** It as JSON, its longest texts shortened, whatever its adapter made of it. May hold secrets: no log has it. */
  readonly message: string;
  readonly receivedAt: Date;
}

/** How many messages of one registry are kept; the oldest make room. */
export const MOST_UNHEEDED = 1_000;

/** Within a unit of work. Kept for a person to read. */
export interface UnheededMessages {
  /** Keeps a message before it is acknowledged; one of that registry and id that is kept already stays as it is. Beyond `MOST_UNHEEDED` the oldest are removed. */
  keep(message: UnheededMessage): Promise<void>;
}

/** Reads committed state. */
export interface UnheededMessageReader {
  /** The latest of all registries, newest first. */
  latest(limit: number): Promise<readonly UnheededMessage[]>;
  find(registry: string, messageId: string): Promise<UnheededMessage | undefined>;
}
export const UnheededMessageReader = Symbol('UnheededMessageReader');
