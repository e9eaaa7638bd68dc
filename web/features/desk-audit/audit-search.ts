/** What the address says about the audit log. Only what is asked for stands in it. */
export type AuditSearch = {
  actor?: string
  action?: string
  member?: string
  from?: string
  to?: string
  after?: string
  before?: string
}

const shapes: Record<keyof AuditSearch, RegExp> = {
  actor: /^(staff|member|system|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  action: /^[a-z.-]{1,60}$/,
  member: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  from: /^\d{4}-\d{2}-\d{2}$/,
  to: /^\d{4}-\d{2}-\d{2}$/,
  after: /^[\w-]{1,500}$/,
  before: /^[\w-]{1,500}$/,
}

/** Anybody may write an address: what makes no sense in it is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const entries = Object.entries(shapes).flatMap(([name, shape]) => {
    const value = search[name]
    return typeof value === 'string' && shape.test(value) ? [[name, value]] : []
  })
  return Object.fromEntries(entries)
}

/** Another filter begins at the newest entry. */
export function withFilter(
  search: AuditSearch,
  change: Partial<Record<keyof AuditSearch, string | null>>,
): AuditSearch {
  const { after: _, before: __, ...kept } = search
  return readAuditSearch({ ...kept, ...change })
}
