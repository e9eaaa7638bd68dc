import { PaymentProblem } from './contract.ts'

/** `https://pay.example.com`, or `https://*.example.com` for every subdomain. */
const isWithin = (origin: string, allowed: string): boolean => {
  const [scheme, host] = allowed.split('://') as [string, string]
  if (!host.startsWith('*.')) return origin === allowed
  const url = new URL(origin)
  return url.protocol === `${scheme}:` && url.hostname.endsWith(host.slice(1)) && url.port === ''
}

/**
 * A member's browser is sent only to hosts on the provider's list, so that a tampered answer leads nowhere else, and
 * never to a script or a plain HTTP page (simulators use it, outside production).
 */
export function checkPageAddress(address: string, allowed: readonly string[], production: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && !production)
  if (!url || !isSafe || url.username !== '' || !allowed.some((each) => isWithin(url.origin, each)))
    throw new PaymentProblem('misconfigured', 'the payment page is on a host that is not listed')
  return url.href
}

/** The API host and the hosts named in the settings. */
export function originsOf(baseUrl: string, hosts: readonly string[]): string[] {
  return [...new Set([new URL(baseUrl).origin, ...hosts.map((host) => `https://${host}`)])]
}
