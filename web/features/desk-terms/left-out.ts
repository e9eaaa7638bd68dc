import { isTermsLink, termsAttributes, termsTags } from '@atrium/contract/terms-html.ts'
import { readQuietly } from '../../ui/quiet-document.ts'

const kept = new Set<string>([...termsTags, 'html', 'head', 'body'])
/** Nobody misses these: the server writes its own. */
const ownOfLinks = ['target', 'rel']
const namesMax = 8

/** What of an HTML text no member will see, by name: `<script>`, `onclick`, the address of a link. */
export function leftOut(html: string): string[] {
  const found = new Set<string>()
  for (const element of readQuietly(html).querySelectorAll('*')) {
    const tag = element.localName
    if (!kept.has(tag)) {
      found.add(`<${tag}>`)
      continue
    }
    const known = [...(termsAttributes['*'] ?? []), ...(termsAttributes[tag] ?? []), ...(tag === 'a' ? ownOfLinks : [])]
    for (const { name, value } of element.attributes) {
      if (!known.includes(name)) found.add(name.replace('data-style', 'style'))
      else if (name === 'href' && !isTermsLink(value)) found.add(value.slice(0, 40))
    }
  }
  return [...found].slice(0, namesMax)
}
