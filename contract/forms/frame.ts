/** The page with one form by itself; only a page of the same portal may frame it. */
export const formFramePath = '/forms/view'

/** What it tells the page around it: how high it is, whether something in it is saved nowhere yet, and that it was sent. */
export type FormFrameWord =
  | { kind: 'form-height'; height: number }
  | { kind: 'form-dirty'; isDirty: boolean }
  | { kind: 'form-sent' }

/** Anybody may post anything: what is none of these words is nothing. */
export function readFormFrameWord(data: unknown): FormFrameWord | null {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return null
  if (data.kind === 'form-sent') return { kind: 'form-sent' }
  if (data.kind === 'form-dirty' && 'isDirty' in data && typeof data.isDirty === 'boolean')
    return { kind: 'form-dirty', isDirty: data.isDirty }
  if (data.kind !== 'form-height' || !('height' in data)) return null
  const { height } = data
  return typeof height === 'number' && height > 0 && height < 50_000 ? { kind: 'form-height', height } : null
}

/** What the page around it tells the frame: the colours of by now, since another address would load the form anew. */
export type FormPageWord = { kind: 'form-scheme'; isDark: boolean }

export function readFormPageWord(data: unknown): FormPageWord | null {
  if (typeof data !== 'object' || data === null || !('kind' in data) || data.kind !== 'form-scheme') return null
  return 'isDark' in data && typeof data.isDark === 'boolean' ? { kind: 'form-scheme', isDark: data.isDark } : null
}
