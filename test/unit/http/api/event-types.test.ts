import type { ReadEvents } from '../../../../src/application/events/read-events';
import { typesMatching } from '../../../../src/domain/access/events/event-types';
import { EventsController } from '../../../../src/http/api/resources/access/events';
import type { ApiRequest } from '../../../../src/http/api/api-request';

describe('the types of GET /api/events', () => {
  it('reach the database once each, however often the query names them', async () => {
    const asked: unknown[] = [];
    const readEvents = {
      execute: async ({ types }: { types: unknown }) => {
        asked.push(types);
        return { feed: 'aaaaaaaaaa', events: [], readTo: 0, more: false };
      },
    };
    const query = { types: `zone.created,${Array.from({ length: 1_000 }, () => 'zone.*').join(',')}` };

    const controller = new EventsController(readEvents as unknown as ReadEvents);
    await controller.list({ caller: {}, scope: 'READ', query, path: '/events' } as unknown as ApiRequest);

    expect(asked.map((types) => [...(types as string[])].toSorted())).toEqual([typesMatching('zone.*').toSorted()]);
  });
});
