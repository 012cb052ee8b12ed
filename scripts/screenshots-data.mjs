/** Fills a fresh service with what a small agency may have. Answers the pages worth a picture; those of who is signed out come last. */
export async function seed() {
  return [
    { name: 'overview', path: '/' },
    { name: 'api-keys', path: '/api-keys' },
    { name: 'new-key-form', path: '/api-keys/new' },
    {
      name: 'new-key',
      path: '/api-keys/new',
      prepare: async (page) => {
        await page.fill('[name=name]', 'Certificate renewal');
        await page.check('[value=WRITE]');
        await page.click('main button[type=submit]');
      },
    },
    {
      name: 'revoke',
      path: '/api-keys',
      prepare: async (page) => page.click('details.confirm summary'),
    },
    { name: 'not-found', path: '/nowhere' },
    { name: 'sign-in', path: '/sign-in', signedOut: true },
  ];
}
