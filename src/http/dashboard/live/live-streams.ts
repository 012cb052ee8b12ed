import { injectable } from '../../../application/ports/inject';

/** Of this process; browsers without a stream ask every 15 seconds. */
export const MAX_STREAMS = 500;
/** One more ends the person's oldest one. */
export const MAX_STREAMS_OF_PERSON = 5;

/** Why a stream ends: its browser has left, the person has opened too many, or the process stops. */
export type StreamEnd = 'closed' | 'replaced' | 'stopping';

/** The event streams that browsers have open. */
@injectable()
export class LiveStreams {
  private readonly streams = new Map<AbortController, string>();
  private isReleased = false;

  get size(): number {
    return this.streams.size;
  }

  /** Undefined if too many are open, or the process stops. The signal tells that the stream is to end, with a `StreamEnd` as its reason. */
  open(personId: string): { readonly signal: AbortSignal; readonly close: (why: StreamEnd) => void } | undefined {
    const own = [...this.streams].filter(([, owner]) => owner === personId);
    const [oldest] = own;
    if (oldest && own.length >= MAX_STREAMS_OF_PERSON) this.close(oldest[0], 'replaced');
    if (this.isReleased || this.streams.size >= MAX_STREAMS) return undefined;
    const stream = new AbortController();
    this.streams.set(stream, personId);
    return { signal: stream.signal, close: (why) => this.close(stream, why) };
  }

  /** Ends all streams, because the process stops. Their browsers connect again, to another process. */
  release(): void {
    this.isReleased = true;
    for (const stream of this.streams.keys()) this.close(stream, 'stopping');
  }

  private close(stream: AbortController, why: StreamEnd): void {
    this.streams.delete(stream);
    stream.abort(why);
  }
}
