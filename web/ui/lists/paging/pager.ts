export type PageLink = number | 'gap'

/** The number of pages; an empty list has one, which shows the empty state. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size))
}

/**
 * The links of a pager: a window of at most `linksMax` around the current page, plus the first and last page, with a
 * gap for omitted pages.
 */
export function pageLinks(page: number, pages: number, linksMax: number): PageLink[] {
  const width = Math.min(linksMax, pages)
  const start = Math.max(1, Math.min(page - Math.floor(width / 2), pages - width + 1))
  const end = start + width - 1
  const links: PageLink[] = Array.from({ length: width }, (_, index) => start + index)
  if (start > 2) links.unshift('gap')
  if (start > 1) links.unshift(1)
  if (end < pages - 1) links.push('gap')
  if (end < pages) links.push(pages)
  return links
}

/** For "Showing X to Y of N entries". A page beyond the end has no entries. */
export function shownRange(page: number, size: number, total: number): { from: number; to: number } {
  const from = (page - 1) * size + 1
  return from > total ? { from: 0, to: 0 } : { from, to: Math.min(page * size, total) }
}
