interface Formats {
  readonly day: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { ...DAY, hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;

/** By time zone: a format is costly to make. */
const formatsByZone = new Map<string, Formats>();

function formatsOf(timeZone: string): Formats {
  const known = formatsByZone.get(timeZone);
  if (known) return known;
  const formats = createFormats(timeZone);
  formatsByZone.set(timeZone, formats);
  return formats;
}

/** In UTC if this version of Node.js does not know the time zone, which another one stored. */
function createFormats(timeZone: string): Formats {
  try {
    return {
      day: new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone }),
      time: new Intl.DateTimeFormat('en-GB', { ...TIME, timeZone }),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return formatsOf('UTC');
  }
}

/** 3 Mar 2027. Dates of registries are days in UTC. */
export function formatDate(date: Date, timeZone = 'UTC'): string {
  return formatsOf(timeZone).day.format(date);
}

/** 3 Mar 2027, 14:05 UTC */
export function formatDateTime(date: Date, timeZone: string): string {
  return formatsOf(timeZone).time.format(date);
}
