/** A browser's connection to `/live`, as text. */
export class EventStream {
  response: Response | undefined;
  text = '';
  finished: Promise<void> = Promise.resolve();
  private readonly left = new AbortController();
  private isOver = false;
  private wake: () => void = () => undefined;

  async connect(url: string, cookie: string): Promise<void> {
    const headers = { Cookie: cookie, Accept: 'text/event-stream', 'Accept-Encoding': 'gzip, br' };
    this.response = await fetch(url, { headers, signal: this.left.signal });
    this.finished = this.read(this.response).catch(() => undefined);
  }

  /** Waits for an event of the name, which the text keeps. Undefined if the stream ends without it. */
  async next(name: string): Promise<string | undefined> {
    while (!this.text.includes(`event: ${name}\n`)) {
      if (this.isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return name;
  }

  leave(): void {
    this.left.abort();
  }

  private async read({ body }: Response): Promise<void> {
    try {
      for await (const chunk of body ?? []) {
        this.text += Buffer.from(chunk as Uint8Array).toString();
        this.wake();
      }
    } finally {
      this.isOver = true;
      this.wake();
    }
  }
}
