import { list } from '../../../../src/http/api/shape';
import { ANY_OBJECT, result, shown, TEXT } from '../../../../src/http/mcp/schema';

describe('the result of a tool', () => {
  const schema = result({ name: TEXT, records: list(result({ content: TEXT })), plan: ANY_OBJECT });

  it('has what its schema has, and nothing that is null', () => {
    const response = { name: 'a', owner: 'b', records: [{ content: 'c', id: 'd' }], plan: null };

    expect(shown(schema, response)).toEqual({ name: 'a', records: [{ content: 'c' }] });
  });

  it('has neither secrets nor personal data at any depth of what its schema leaves open', () => {
    const plan = {
      changes: [{ after: { auth_code: 'x', contacts: { registrant: { email: 'y' } }, tags: ['shop'], gone: null } }],
    };

    expect(shown(schema, { plan })).toEqual({
      plan: {
        changes: [{ after: { auth_code: '(not shown)', contacts: { registrant: '(not shown)' }, tags: ['shop'] } }],
      },
    });
  });
});
