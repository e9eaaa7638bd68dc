/**
 * What the HTML of terms may hold: the words of a contract and their order, nothing that loads, runs or is styled. The
 * server throws away the rest when a text comes in and again when it goes out; the web draws these elements only.
 */
export const termsTags = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'div', 'span'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'small', 'code', 'a'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
] as const

/** By element; those of `*` anywhere. A text of another language or direction may say so. */
export const termsAttributes: Record<string, readonly string[]> = {
  '*': ['lang', 'dir'],
  a: ['href', 'title'],
  ol: ['start'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
}

/** An address that a link of terms may lead to: elsewhere safely, a mail, a call, or a page of ours. */
export function isTermsLink(href: string): boolean {
  return /^(https:\/\/[^\s]|mailto:[^\s]|tel:[+\d])/i.test(href) || /^\/(?![/\\])[^\s\\]*$/.test(href)
}

const blocks = /<(h[1-6]|p|br|hr|blockquote|div|ul|ol|li|dl|table)\b/i

/** Plain text as people paste it: an empty line begins a paragraph, every other one a line. HTML with blocks stays as it is. */
export function withParagraphs(html: string): string {
  const text = html.replaceAll('\r\n', '\n').trim()
  if (!text.includes('\n') || blocks.test(text)) return html
  const paragraphs: string[][] = [[]]
  for (const line of text.split('\n')) {
    if (line.trim() !== '') paragraphs.at(-1)?.push(line.trim())
    else if (paragraphs.at(-1)?.length) paragraphs.push([])
  }
  return paragraphs.map((lines) => `<p>${lines.join('<br>')}</p>`).join('\n')
}
