import { actionOfWrite } from '../../../../../src/domain/access/proposals/write-action';
import { API_REQUESTS } from '../../../../support/access/api-requests';

/** No one proposes these, or each domain of a job is judged alone. */
const OTHERS = /^get |\/(keys|trust-rules|webhooks|sandbox|proposals|imports|bulk|states)(\/|$)|\/dns\/discover$/;
const PROPOSABLE = Object.entries(API_REQUESTS).filter(
  ([route, { action }]) => action !== 'read' && !OTHERS.test(route),
);

describe('the action that a role needs for a proposed write', () => {
  it.each(PROPOSABLE)('is that of the route: %s', (route, { action }) => {
    const [method = '', path = ''] = route.split(' ');

    const needed = actionOfWrite({ method: method.toUpperCase(), path: `/api${path}?dry=x` });

    expect(needed).toBe(action === 'whole account' ? 'owner' : action);
  });
});
