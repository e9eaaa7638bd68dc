import { isTermsLink, termsAttributes, termsTags } from '../terms/html.ts'
import { formLimits } from './form-limits.ts'
import { isStorable } from './storable.ts'

const allowed: ReadonlySet<string> = new Set(termsTags)
const empty: ReadonlySet<string> = new Set(['br', 'hr'])

/**
 * Whether HTML of a form contains only what terms may contain, in a strict syntax that all parsers read alike: known elements,
 * correctly nested, with quoted attributes. Unlike the sanitizer of terms it removes nothing: a form with a script is refused
 * with an error.
 */
export function isAllowedHtml(html: string): boolean {
  if (html.length > formLimits.htmlCharsMax || !isStorable(html)) return false
  const open: string[] = []
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const end = endOfTag(html, at)
    if (end === null || !follows(html.slice(at + 1, end), open)) return false
    at = end
  }
  return open.length === 0
}

/** The end of a tag: the first `>` outside of quotes. */
function endOfTag(html: string, start: number): number | null {
  let quote = ''
  for (let at = start + 1; at < html.length; at += 1) {
    const char = html.charAt(at)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at
    else if (char === '<') return null
  }
  return null
}

function follows(tag: string, open: string[]): boolean {
  if (tag.startsWith('/')) return open.pop() === tag.slice(1).toLowerCase()
  const [name = ''] = /^[A-Za-z][A-Za-z0-9]{0,19}/.exec(tag) ?? []
  const element = name.toLowerCase()
  if (!allowed.has(element)) return false
  if (!empty.has(element)) open.push(element)
  const rest = tag.slice(name.length)
  const given = empty.has(element) && rest.endsWith('/') ? rest.slice(0, -1) : rest
  return open.length <= formLimits.htmlDepthMax && hasAllowedAttributes(element, given)
}

const attributeShape = /^[ \n\t]{1,10}([a-z]{1,20})=(?:"([^"<>]{0,2048})"|'([^'<>]{0,2048})')/

function hasAllowedAttributes(element: string, text: string): boolean {
  const names = [...(termsAttributes['*'] ?? []), ...(termsAttributes[element] ?? [])]
  let rest = text
  while (rest.trim() !== '') {
    const [whole, name = '', inDouble, inSingle] = attributeShape.exec(rest) ?? []
    if (whole === undefined || !names.includes(name)) return false
    if (name === 'href' && !isAllowedLink(inDouble ?? inSingle ?? '')) return false
    rest = rest.slice(whole.length)
  }
  return true
}

/** Entities can hide characters, so only the one that URLs need is allowed. */
const isAllowedLink = (href: string): boolean =>
  !href.replaceAll('&amp;', '').includes('&') && isTermsLink(href.replaceAll('&amp;', '&'))
