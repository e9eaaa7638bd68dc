/** Removes a byte order mark, which some clients and bridges send. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** Our bodies have fewer than 20 levels; the functions that walk some thousand levels overflow the stack. */
const depthMax = 100

/** JSON as `JSON.parse` reads it, without a byte order mark and deeply nested values. */
export function parseShallow(text: string): unknown {
  refuseDeep(text)
  return JSON.parse(withoutMark(text))
}

/** Throws a SyntaxError, as for invalid JSON. */
export function refuseDeep(text: string): void {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]
    if (char === '"') isInString = !isInString
    else if (isInString) index += char === '\\' ? 1 : 0
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth > depthMax) throw new SyntaxError('Nested too deeply')
  }
}

/**
 * Parses JSON with every number as its source text: `100.10` keeps its zero, `1e2` is not 100, and long numbers keep
 * all digits. Amounts, payment numbers and signatures depend on that text.
 */
export function parseSpelled(text: string): unknown {
  const spell = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  refuseDeep(text)
  return JSON.parse(withoutMark(text), spell)
}

/** Strings, with the colon if they are names, and brackets. */
const nameTokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g

/** The same, but throws on a duplicate name in an object: parsers differ on which value counts. */
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

/** Stores how to reparse a body while it is referenced; needed only for amounts sent as numbers. */
export function rememberNumberTexts(body: unknown, read: () => unknown): void {
  if (typeof body === 'object' && body !== null) spellings.set(body, read)
}

/** The source text of these fields, if they are numbers. */
export function spelledFields(body: object, names: readonly string[]): Record<string, unknown> {
  const fields = body as Record<string, unknown>
  const numbers = names.filter((name) => Object.hasOwn(body, name) && typeof fields[name] === 'number')
  const read = spellings.get(body)
  if (numbers.length === 0 || read === undefined) return {}
  const spelled = read() as Record<string, unknown>
  return Object.fromEntries(numbers.map((name) => [name, spelled[name]]))
}
