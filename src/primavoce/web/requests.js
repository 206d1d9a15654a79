/** What requests carry, and what the server says when it refuses one. */

/** A name that nobody guesses, of 36 characters. @returns {string} */
export function newId() {
  // `crypto.randomUUID` is for secure contexts alone; a page on a local network is none.
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** @param {string} [key] @returns {Record<string, string>} */
export function authorization(key) {
  return key ? { Authorization: `Bearer ${key}` } : {};
}

/** @param {string} base @param {string} path @param {string} [key] @returns {URL} of a socket */
export function socketAddress(base, path, key) {
  const address = new URL(path, base);
  address.protocol = address.protocol.replace('http', 'ws');
  if (key) address.searchParams.set('token', key); // a browser can't set a socket's headers
  return address;
}

/** @param {Response} response @returns {Promise<{code: string, message: string, retryable: boolean}>} */
export async function refusalOf(response) {
  const body = await response.json().catch(() => ({})); // a proxy's may be HTML
  return {
    code: body.error ?? body.code ?? `http_${response.status}`,
    message: body.message ?? `The server answered with ${response.status}.`,
    retryable: body.retryable ?? response.status >= 500,
  };
}
