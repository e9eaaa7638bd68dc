/** Some write it in front of UTF-8; it is no part of the text. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/**
 * JSON in which every number is the text that stood there: `100.10` keeps its nought, `1e2` is not 100, and no digit of a long
 * one is lost. Amounts, numbers of payments and signatures are judged on that text.
 */
export function parseSpelled(text: string): unknown {
  const spell = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  return JSON.parse(withoutMark(text), spell)
}

/** Strings, with the colon of those that are names, and what opens and closes. */
const nameTokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g

/** The same, and an error where a name comes twice in one object: it may mean the first to whoever wrote it, and we would take the last. */
export function parseUnambiguous(text: string): unknown {
  const value = parseSpelled(text)
  const open: Set<string>[] = []
  for (const [token, colon] of text.matchAll(nameTokens)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, -colon.length)) as string
      if (open.at(-1)?.has(name)) throw new SyntaxError('A name comes twice')
      open.at(-1)?.add(name)
    }
  }
  return value
}

const spellings = new WeakMap<object, () => unknown>()

/** Remembers how a body was written, for as long as somebody has it; read again only where an amount came as a number. */
export function rememberSpelling(body: unknown, read: () => unknown): void {
  if (typeof body === 'object' && body !== null) spellings.set(body, read)
}

/** These fields of a body as they were written, where they are numbers. */
export function spelledFields(body: object, names: readonly string[]): Record<string, unknown> {
  const fields = body as Record<string, unknown>
  const numbers = names.filter((name) => Object.hasOwn(body, name) && typeof fields[name] === 'number')
  const read = spellings.get(body)
  if (numbers.length === 0 || read === undefined) return {}
  const spelled = read() as Record<string, unknown>
  return Object.fromEntries(numbers.map((name) => [name, spelled[name]]))
}
