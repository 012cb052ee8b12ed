import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
const WINDOW_MS = 15_000;

/** The longest blockage of the event loop in the last 15 to 30 seconds. */
export class EventLoopLag {
  private readonly histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private readonly timer: NodeJS.Timeout;
  private former = 0;

  constructor() {
    this.histogram.enable();
    this.timer = setInterval(() => {
      this.former = this.histogram.max;
      this.histogram.reset();
    }, WINDOW_MS).unref();
  }

  get seconds(): number {
    const nanoseconds = Math.max(this.former, this.histogram.max) - RESOLUTION_MS * 1e6;
    return Math.max(0, nanoseconds) / 1e9;
  }

  stop(): void {
    clearInterval(this.timer);
    this.histogram.disable();
  }
}
