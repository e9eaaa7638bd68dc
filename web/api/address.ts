/**
 * The API origin: the same origin, unless a meta tag `api-origin` names another. Its `{workspace}` is replaced by the
 * subdomain of the page.
 */
export function originFrom(template: string | null, hostname: string): string {
  if (template === null || template === '') return ''
  const workspace = hostname.split('.')[0] ?? ''
  return template.replace('{workspace}', workspace).replace(/\/$/, '')
}

export function apiOrigin(): string {
  return originFrom(
    document.querySelector<HTMLMetaElement>('meta[name="api-origin"]')?.content ?? null,
    location.hostname,
  )
}

/** Fills the `:name` parameters of a path and returns the remaining input. */
export function fillPath(
  path: string,
  input: Record<string, unknown>,
): { path: string; rest: Record<string, unknown> } {
  const rest = { ...input }
  const filled = path.replace(/:([a-z_]+)/gi, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { path: filled, rest }
}

export function toSearch(input: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) search.set(name, String(value))
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** Encodes UTF-8 as base64url, the format of the query endpoint. */
export function toBase64Url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Some proxies truncate longer URLs, so a longer query is posted. */
const addressCharsMax = 2_000

export type GraphRequest = { method: 'GET'; path: string } | { method: 'POST'; path: string; body: string }

export function graphRequest(text: string, variables: Record<string, unknown>): GraphRequest {
  // Our documents contain no string literals, so collapsing whitespace is safe.
  const query = text.replace(/\s+/g, ' ').trim()
  const encoded = Object.keys(variables).length === 0 ? '' : `&v=${toBase64Url(JSON.stringify(variables))}`
  const path = `/graph?q=${toBase64Url(query)}${encoded}`
  if (path.length <= addressCharsMax) return { method: 'GET', path }
  return { method: 'POST', path: '/graph', body: JSON.stringify({ query, variables }) }
}

/** Private files are served under /cp, the path of the file cookie. */
export function fileAddress(url: string): string {
  const path = url.includes('private') && !url.startsWith('/cp/') && url.startsWith('/') ? `/cp${url}` : url
  return path.startsWith('/') ? `${apiOrigin()}${path}` : path
}
