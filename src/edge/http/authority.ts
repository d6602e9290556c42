/** A host name or address, with a port or without (RFC 9110, section 7.2). */
const AUTHORITY = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** Whether a text names a host: then a URL can be made with it, and nothing else ends up in that. */
export function isAuthority(text: string): boolean {
  return AUTHORITY.test(text) && URL.canParse(`http://${text}`);
}
