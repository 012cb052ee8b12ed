import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { EventWaits } from '../../../../src/application/events/event-waits';
import type { EventFeed } from '../../../../src/application/ports/access/audit-and-events';
import type { SessionReader, UserReader } from '../../../../src/application/ports/access/users';
import type { Log } from '../../../../src/application/ports/system';
import type { DashboardRequest, DashboardResponse } from '../../../../src/http/dashboard/dashboard-route';
import { LivePages } from '../../../../src/http/dashboard/live/live-pages';
import { LiveStreams } from '../../../../src/http/dashboard/live/live-streams';
import type { ProgressStates } from '../../../../src/http/dashboard/live/progress-states';

const userSession = {
  accountId: 'acc_1',
  account: { id: 'acc_1', name: 'One', approvalRules: null },
  user: { id: 'usr_1', personId: 'per_1', role: 'owner' },
};

describe('the event stream of a page', () => {
  it('is not opened for a browser that has left while its page was read', async () => {
    const streams = new LiveStreams();
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const states = { read: async () => void response.destroy() };
    const pages = new LivePages(
      streams,
      states as unknown as ProgressStates,
      {} as EventWaits,
      { read: () => new Promise(() => undefined) } as unknown as EventFeed,
      {} as SessionReader,
      {} as UserReader,
      { now: () => new Date() },
      {} as Log,
    );
    const [[, , , open] = []] = pages.routes;
    const request = { method: 'GET', query: { of: 'transfer:tra_1' } };
    const locals = { locals: { userSession } };

    await open?.(
      request as unknown as DashboardRequest,
      Object.assign(response, locals) as unknown as DashboardResponse,
    );

    expect(streams.size).toBe(0);
  });
});
