import { isTermsLink, termsAttributes, termsTags, withParagraphs } from '@atrium/contract/terms/html.ts'
import { parseInert } from '../../ui/files/inert-document.ts'

const allowedTags = new Set<string>(termsTags)
/** Elements whose text is dropped, too. */
const silent = new Set(['script', 'style', 'template', 'title', 'iframe', 'object', 'noscript', 'textarea', 'select'])
/** Maps elements that browsers insert to their semantic equivalents. */
const usual: Record<string, string> = { b: 'strong', i: 'em' }

/** The allowed elements of a text, as editable nodes; of all others only the text is kept. */
export function readRichText(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  copyAllowed(parseInert(withParagraphs(html)).body, fragment)
  return fragment
}

/** The edited text as HTML for saving; empty when it has no visible text. */
export function writeRichText(root: HTMLElement): string {
  const clean = document.createElement('div')
  copyAllowed(root, clean)
  return clean.textContent?.trim() === '' ? '' : clean.innerHTML
}

/** Plain text as paragraphs, for pasting. */
export function htmlOfText(text: string): string {
  const words = document.createElement('div')
  words.textContent = text
  return withParagraphs(words.innerHTML)
}

function copyAllowed(from: Node, to: Node): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(node.textContent ?? ''))
    if (!(node instanceof Element) || silent.has(node.localName)) continue
    const tag = usual[node.localName] ?? node.localName
    const copy = isMeant(node, tag) ? to.appendChild(document.createElement(tag)) : to
    if (copy instanceof Element) copyAttributes(node, copy, tag)
    copyAllowed(node, copy)
  }
}

function isMeant(node: Element, tag: string): boolean {
  if (tag === 'a') return isTermsLink(node.getAttribute('href') ?? '')
  // A span without `lang` or `dir` is a remnant of a style.
  return allowedTags.has(tag) && (tag !== 'span' || node.hasAttribute('lang') || node.hasAttribute('dir'))
}

function copyAttributes(from: Element, to: Element, tag: string): void {
  for (const name of [...(termsAttributes['*'] ?? []), ...(termsAttributes[tag] ?? [])]) {
    const value = from.getAttribute(name)
    if (value !== null && (name !== 'href' || isTermsLink(value))) to.setAttribute(name, value)
  }
}
