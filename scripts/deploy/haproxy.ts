export type Line = { words: string[]; text: string }
export type Section = { kind: string; name: string; lines: Line[] }

/** Splits an HAProxy configuration into sections, with HAProxy's rules for quotes and # comments. */
export function readSections(text: string): Section[] {
  const sections: Section[] = []
  for (const line of text.split('\n').filter((each) => /^\s*[^\s#]/.test(each))) {
    const words = wordsOf(line)
    const [kind = '', name = ''] = words
    if (/^\S/.test(line)) sections.push({ kind, name, lines: [] })
    else sections.at(-1)?.lines.push({ words, text: line.trim() })
  }
  return sections
}

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"#]|(?<=\S)#)+/g)].map(([word]) => word.replace(/['"]/g, ''))

/** The arguments that follow these words in a section. */
export const behind = (section: Section | undefined, ...first: string[]): string[][] =>
  (section?.lines ?? [])
    .filter(({ words }) => first.every((word, at) => words[at] === word))
    .map(({ words }) => words.slice(first.length))
