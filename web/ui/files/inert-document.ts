/**
 * Parses HTML into a document in which nothing runs and nothing loads. Style attributes have no effect there either, but
 * the browser reports them as violations of the CSP, so they are renamed first.
 */
export function parseInert(html: string): Document {
  const unstyled = html.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\bstyle(?=\s*=)/gi, 'data-style'))
  return new DOMParser().parseFromString(unstyled, 'text/html')
}
