/** A shortcut as data: the help and the handler use the same one. */

export type KeyBinding = {
  /** One key, or a sequence of two: `g d`. */
  keys: string
  label: string
  act: () => void
  mayRepeat?: boolean
}

export type Press = {
  key: string
  /** The physical position, for non-Latin keyboards. */
  code: string
  /** Ctrl, Alt or Meta: these belong to the browser. */
  hasModifier: boolean
  isRepeat: boolean
  isTyping: boolean
  isDialogOpen: boolean
}

type Keys = Pick<KeyBinding, 'keys' | 'mayRepeat'>
/** `begun`: the first key of a sequence, if that was pressed. */
export type Reading<Bound> = { found: Bound | null; begun: string | null }

/**
 * The meaning of a key press; during typing or in a dialog, letters are only letters. After the first key of a sequence
 * only a matching second key counts, so that a slip decides nothing.
 */
export function readPress<Bound extends Keys>(
  press: Press,
  bindings: readonly Bound[],
  begun: string | null,
): Reading<Bound> {
  if (press.hasModifier || press.isTyping || press.isDialogOpen) return { found: null, begun: null }
  const letter = letterOf(press)
  const pressed = begun === null ? letter : `${begun} ${letter}`
  const found = bindings.find(({ keys }) => keys === pressed)
  if (found) return { found: press.isRepeat && !found.mayRepeat ? null : found, begun: null }
  const isFirstHalf = begun === null && letter !== '' && bindings.some(({ keys }) => keys.startsWith(`${letter} `))
  return { found: null, begun: isFirstHalf ? letter : null }
}

function letterOf({ key, code }: Press): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  const isOtherScript = key.length === 1 && key.charCodeAt(0) > 127
  const place = /^Key([A-Z])$/.exec(code)?.[1]
  return isOtherScript && place ? place.toLowerCase() : key
}
