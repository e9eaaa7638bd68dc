/** The page with a single form; only a page of the same portal may frame it. */
export const formFramePath = '/forms/view'

/** Messages to the surrounding page: the height, unsaved changes, and the submission. */
export type FormFrameMessage =
  | { kind: 'form-height'; height: number }
  | { kind: 'form-dirty'; isDirty: boolean }
  | { kind: 'form-sent' }

/** Any window can post messages, so unknown ones are ignored. */
export function readFormFrameMessage(data: unknown): FormFrameMessage | null {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return null
  if (data.kind === 'form-sent') return { kind: 'form-sent' }
  if (data.kind === 'form-dirty' && 'isDirty' in data && typeof data.isDirty === 'boolean')
    return { kind: 'form-dirty', isDirty: data.isDirty }
  if (data.kind !== 'form-height' || !('height' in data)) return null
  const { height } = data
  return typeof height === 'number' && height > 0 && height < 50_000 ? { kind: 'form-height', height } : null
}

/** The message from the surrounding page: its colour scheme, since a changed URL would reload the form. */
export type FormPageMessage = { kind: 'form-scheme'; isDark: boolean }

export function readFormPageMessage(data: unknown): FormPageMessage | null {
  if (typeof data !== 'object' || data === null || !('kind' in data) || data.kind !== 'form-scheme') return null
  return 'isDark' in data && typeof data.isDark === 'boolean' ? { kind: 'form-scheme', isDark: data.isDark } : null
}
