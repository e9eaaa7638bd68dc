import { isTermsLink, termsAttributes, termsTags } from '@atrium/contract/terms/html.ts'
import { createElement, type ReactNode, useMemo } from 'react'
import { parseInert } from '../files/inert-document.ts'
import parts from './rich-text.module.css'

const drawn = new Set<string>(termsTags)
const empty = new Set(['br', 'hr'])
/** The attributes whose React name differs. */
const reactNames: Record<string, string> = { colspan: 'colSpan', rowspan: 'rowSpan' }

type RichTextProps = { html: string; headingLevel: 2 | 3 }

/**
 * Renders a brokerage's HTML element by element, from an allowlist. It is parsed in an inert document, so that no script
 * runs even if the server failed to sanitize it.
 */
export function RichText({ html, headingLevel }: RichTextProps) {
  const content = useMemo(() => {
    const { body } = parseInert(html)
    return drawAll(body, headingLevel)
  }, [html, headingLevel])
  return <div className={parts.text}>{content}</div>
}

function drawAll(parent: Node, headingLevel: number): ReactNode[] {
  return [...parent.childNodes].map((node, index) => draw(node, `${index}`, headingLevel))
}

function draw(node: Node, key: string, headingLevel: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.localName
  if (node.namespaceURI !== 'http://www.w3.org/1999/xhtml' || /^(script|style|template|noscript)$/.test(tag))
    return null
  const children = drawAll(node, headingLevel)
  if (!drawn.has(tag)) return children
  const attributes = { key, ...attributesOf(node, tag) }
  return empty.has(tag)
    ? createElement(tag, attributes)
    : createElement(nameOf(tag, headingLevel), attributes, ...children)
}

/** The text's top heading is one level below the heading above it. */
function nameOf(tag: string, headingLevel: number): string {
  const level = /^h([1-6])$/.exec(tag)?.[1]
  return level ? `h${Math.min(6, Number(level) - 1 + headingLevel)}` : tag
}

function attributesOf(node: Element, tag: string): Record<string, string> {
  const names = [...(termsAttributes['*'] ?? []), ...(termsAttributes[tag] ?? [])]
  const given = names.flatMap((name): [string, string][] => {
    const value = node.getAttribute(name)
    if (value === null || (name === 'href' && !isTermsLink(value))) return []
    return [[reactNames[name] ?? name, value]]
  })
  const attributes = Object.fromEntries(given)
  return tag === 'a' && 'href' in attributes
    ? { ...attributes, target: '_blank', rel: 'noopener noreferrer' }
    : attributes
}
