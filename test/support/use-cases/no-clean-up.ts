/** For a worker whose tests are about something else. */
export const NO_CLEAN_UP = { start: (): void => undefined, stop: async (): Promise<void> => undefined };
