/** `https://pay.example.com`, or `https://*.example.com` for every subdomain. */
const isWithin = (origin: string, allowed: string): boolean => {
  const [scheme, host] = allowed.split('://') as [string, string]
  if (!host.startsWith('*.')) return origin === allowed
  const url = new URL(origin)
  return url.protocol === `${scheme}:` && url.hostname.endsWith(host.slice(1)) && url.port === ''
}

/**
 * Whether a member may be sent to this page: its host is on the list, so that a tampered answer leads nowhere else, and
 * it is never a script or a plain HTTP page (simulators use it, outside production).
 */
export function isListedPage(address: string, allowed: readonly string[], production: boolean): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, username, password, origin } = new URL(address)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && !production)
  return isSafe && username === '' && password === '' && allowed.some((each) => isWithin(origin, each))
}

/** The host of a page that is not listed, for staff: the rest of its address may hold a secret. */
export const hostOfPage = (address: string): string =>
  (URL.canParse(address) && new URL(address).host.slice(0, 100)) || 'no host'

/** The API host and the hosts named in the settings. */
export function originsOf(baseUrl: string, hosts: readonly string[]): string[] {
  return [...new Set([new URL(baseUrl).origin, ...hosts.map((host) => `https://${host}`)])]
}
