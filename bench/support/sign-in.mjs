// Signs in to the dashboard.
const PASSWORD = 'nine violet tractors';

/** Follows a set-up link, sets a password, and returns the session cookies. */
export async function signIn(url, setupLink) {
  const form = await fetch(`${url}${setupLink}`);
  const token = /name="_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const body = new URLSearchParams({
    _token: token,
    token: new URL(setupLink, url).searchParams.get('token') ?? '',
    password: PASSWORD,
  });
  const response = await fetch(`${url}/set-up`, {
    method: 'POST',
    headers: { cookie: cookiesOf(form) },
    body,
    redirect: 'manual',
  });
  if (response.status !== 303) throw new Error(`sign-in failed: ${response.status}`);
  return cookiesOf(response);
}

function cookiesOf(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
