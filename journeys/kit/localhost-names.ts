import dns from 'node:dns'

/**
 * Names below `localhost` are this machine (RFC 6761). Browsers resolve them, many system resolvers do not: simulators call a
 * brokerage back at its subdomain, and Playwright fetches on behalf of a page.
 */
export function resolveLocalhostNames(): void {
  if (isDone) return
  isDone = true
  const { lookup } = dns
  const { lookup: lookupLater } = dns.promises
  const answerTo = (options: unknown) => (wantsAll(options) ? [here] : here)
  Object.assign(dns, {
    lookup(hostname: string, ...rest: unknown[]) {
      if (!isHere(hostname)) return Reflect.apply(lookup, dns, [hostname, ...rest])
      const [options, callback] = rest.length > 1 ? rest : [undefined, rest[0]]
      const done = callback as (error: null, ...answer: unknown[]) => void
      process.nextTick(() => (wantsAll(options) ? done(null, [here]) : done(null, here.address, here.family)))
    },
  })
  Object.assign(dns.promises, {
    lookup: async (hostname: string, options?: dns.LookupOptions) =>
      isHere(hostname) ? answerTo(options) : lookupLater(hostname, options ?? {}),
  })
}

let isDone = false
const here = { address: '127.0.0.1', family: 4 }
const isHere = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost')
const wantsAll = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'all' in options && options.all === true
