import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The client's address, or null if the proxy names none. Some proxies append a port, by which one client would appear as many, or an
 * IPv6 zone; the database's address columns take neither.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string | null {
  const [, bare = ''] = /^\[([^\]]+)\](?::\d+)?$/.exec(ip) ?? /^([\d.]+):\d+$/.exec(ip) ?? [ip, ip]
  const [address = ''] = bare.split('%')
  return isIP(address) > 0 ? address : null
}
