export const tools = ['heading', 'subheading', 'paragraph', 'bold', 'italic', 'list', 'numbers', 'link'] as const
export type Tool = (typeof tools)[number]

export type Marked = { text: string; from: number; to: number }
/** What goes in the place of `from` to `to`, and what is marked in the whole text after it. */
export type Edit = { from: number; to: number; text: string; marks: [number, number] }

const inlineTags = { bold: 'strong', italic: 'em' } as const
const blockTags = { heading: 'h2', subheading: 'h3' } as const

/** What a button of the toolbar does to the text that is marked. Pressed again it takes bold and italic away. */
export function editWith(tool: Tool, marked: Marked): Edit {
  switch (tool) {
    case 'bold':
    case 'italic':
      return turnInline(marked, inlineTags[tool])
    case 'heading':
    case 'subheading':
      return replaceLines(marked, (lines) => `<${blockTags[tool]}>${bare(lines) || 'Heading'}</${blockTags[tool]}>`)
    case 'paragraph':
      return replaceLines(marked, asParagraphs)
    case 'list':
      return replaceLines(marked, (lines) => asList(lines, 'ul'))
    case 'numbers':
      return replaceLines(marked, (lines) => asList(lines, 'ol'))
    case 'link':
      return asLink(marked)
  }
}

function turnInline({ text, from, to }: Marked, tag: string): Edit {
  const [open, close] = [`<${tag}>`, `</${tag}>`]
  const isOn = text.slice(0, from).endsWith(open) && text.slice(to).startsWith(close)
  const inner = text.slice(from, to)
  if (isOn) {
    const start = from - open.length
    return { from: start, to: to + close.length, text: inner, marks: [start, start + inner.length] }
  }
  const words = inner || 'text'
  const start = from + open.length
  return { from, to, text: `${open}${words}${close}`, marks: [start, start + words.length] }
}

/** The address is marked, since it is what is still to be written. */
function asLink({ text, from, to }: Marked): Edit {
  const address = 'https://'
  const start = from + '<a href="'.length
  const replaced = `<a href="${address}">${text.slice(from, to) || 'text'}</a>`
  return { from, to, text: replaced, marks: [start, start + address.length] }
}

/** Blocks take whole lines, and stand on lines of their own. */
function replaceLines({ text, from, to }: Marked, replace: (lines: string) => string): Edit {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const next = text.indexOf('\n', to)
  const end = next === -1 ? text.length : next
  const replaced = replace(text.slice(start, end))
  return { from: start, to: end, text: replaced, marks: [start, start + replaced.length] }
}

/** Without the block that a line is in already. */
function bare(line: string): string {
  return line
    .trim()
    .replace(/^<(h[1-6]|p|li|div)>/i, '')
    .replace(/<\/(h[1-6]|p|li|div)>$/i, '')
}

const filled = (lines: string[]): string[] => lines.map(bare).filter((line) => line !== '')

/** A line that was left empty begins a new paragraph. */
function asParagraphs(lines: string): string {
  const blocks = filled(lines.split(/\n\s*\n/))
  return (blocks.length > 0 ? blocks : ['Text']).map((block) => `<p>${block}</p>`).join('\n')
}

function asList(lines: string, tag: 'ul' | 'ol'): string {
  const entries = filled(lines.split('\n'))
  const rows = (entries.length > 0 ? entries : ['Text']).map((entry) => `  <li>${entry}</li>`)
  return [`<${tag}>`, ...rows, `</${tag}>`].join('\n')
}
