/**
 * The HTML allowed in terms: text and structure of a contract, without scripts, styles or external resources. The server removes
 * everything else on input and again on output; the web renders only these elements.
 */
export const termsTags = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'div', 'span'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'small', 'code', 'a'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
] as const

/** By element; `*` applies to all. Sets the language or direction of a text. */
export const termsAttributes: Record<string, readonly string[]> = {
  '*': ['lang', 'dir'],
  a: ['href', 'title'],
  ol: ['start'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
}

/** Allowed link targets: HTTPS, mail, phone, or a page of the portal. */
export function isTermsLink(href: string): boolean {
  return /^(https:\/\/[^\s]|mailto:[^\s]|tel:[+\d])/i.test(href) || /^\/(?![/\\])[^\s\\]*$/.test(href)
}

const blocks = /<(h[1-6]|p|br|hr|blockquote|div|ul|ol|li|dl|table)\b/i

/** Converts pasted plain text: an empty line starts a paragraph, any other a line. HTML with block elements is unchanged. */
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
