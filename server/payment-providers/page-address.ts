import { PaymentProblem } from './contract.ts'

/** `https://pay.example.com`, or `https://*.example.com` for every host below. */
const isWithin = (origin: string, allowed: string): boolean => {
  const [scheme, host] = allowed.split('://') as [string, string]
  if (!host.startsWith('*.')) return origin === allowed
  const url = new URL(origin)
  return url.protocol === `${scheme}:` && url.hostname.endsWith(host.slice(1)) && url.port === ''
}

/**
 * Where a member's browser is sent must stand on the provider's list: an answer that was tampered with leads nowhere
 * else, and never to a script or a page in the clear (simulators speak plain HTTP, outside production).
 */
export function checkPageAddress(address: string, allowed: readonly string[], production: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && !production)
  if (!url || !isSafe || url.username !== '' || !allowed.some((each) => isWithin(url.origin, each)))
    throw new PaymentProblem('misconfigured', 'the payment page is on a host that is not listed')
  return url.href
}

/** The host of the calls, and the hosts that the settings name. */
export function originsOf(baseUrl: string, hosts: readonly string[]): string[] {
  return [...new Set([new URL(baseUrl).origin, ...hosts.map((host) => `https://${host}`)])]
}
