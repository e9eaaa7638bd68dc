import { parseInert } from '../../ui/files/inert-document.ts'

/** Elements that start a new line; `marks` holds their line prefixes. */
const blocks = new Set(['p', 'div', 'li', 'dt', 'dd', 'blockquote', 'tr', 'caption', 'ul', 'ol', 'dl', 'table', 'hr'])
const marks: Record<string, string> = { li: '• ', dd: '   ', blockquote: '“ ' }

/** The text of the terms, line by line as read; the input for comparing two versions. */
export function readableLines(html: string): string[] {
  const { body } = parseInert(html)
  const lines: string[] = ['']
  const begin = (mark = '') => {
    if (lines.at(-1)?.trim() === '') lines.pop()
    lines.push(mark)
  }
  const add = (text: string) => lines.push((lines.pop() ?? '') + text)
  const walk = (parent: Node) => {
    for (const node of parent.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) add((node.textContent ?? '').replace(/\s+/g, ' '))
      if (!(node instanceof Element)) continue
      const tag = node.localName
      const isBlock = blocks.has(tag) || /^h[1-6]$/.test(tag)
      if (isBlock || tag === 'br') begin(marks[tag])
      walk(node)
      if (tag === 'td' || tag === 'th') add('   ')
      if (tag === 'a') add(` (${node.getAttribute('href') ?? ''})`)
      if (isBlock) begin()
    }
  }
  walk(body)
  return lines.map((line) => line.trimEnd()).filter((line) => line.trim() !== '')
}
