// The part of WebAuthn that runs in the browser: fills the hidden field of a form with the response, and sends the form.
'use strict';

function toBytes(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

function toText(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function toDescriptors(credentials = []) {
  return credentials.map((credential) => ({ ...credential, id: toBytes(credential.id) }));
}

async function createPasskey(options) {
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: toDescriptors(options.excludeCredentials),
  };
  const credential = await navigator.credentials.create({ publicKey });
  const { attestationObject, clientDataJSON } = credential.response;
  return describe(credential, {
    attestationObject: toText(attestationObject),
    clientDataJSON: toText(clientDataJSON),
    transports: credential.response.getTransports?.() ?? [],
  });
}

async function usePasskey(options) {
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: toDescriptors(options.allowCredentials),
  };
  const credential = await navigator.credentials.get({ publicKey });
  const { authenticatorData, clientDataJSON, signature, userHandle } = credential.response;
  return describe(credential, {
    authenticatorData: toText(authenticatorData),
    clientDataJSON: toText(clientDataJSON),
    signature: toText(signature),
    ...(userHandle && { userHandle: toText(userHandle) }),
  });
}

function describe({ id, rawId, type }, response) {
  return { id, rawId: toText(rawId), type, response, clientExtensionResults: {} };
}

async function fill(form, input) {
  const error = form.querySelector('[data-passkey-error]');
  error.hidden = true;
  try {
    const options = JSON.parse(input.dataset.options);
    const run = input.dataset.passkey === 'create' ? createPasskey : usePasskey;
    input.value = JSON.stringify(await run(options));
    form.submit();
  } catch ({ name }) {
    // WebAuthn, section 5.1.3: the device has one of the passkeys that were to be excluded.
    error.textContent = name === 'InvalidStateError' ? error.dataset.known : error.dataset.failed;
    error.hidden = false;
    error.focus();
  }
}

if (window.PublicKeyCredential) {
  for (const part of document.querySelectorAll('[data-passkey-part]')) part.hidden = false;
  document.addEventListener('submit', (event) => {
    const input = event.target.querySelector('[data-passkey]');
    if (!input) return;
    event.preventDefault();
    void fill(event.target, input);
  });
}
