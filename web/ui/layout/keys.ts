/** A keyboard as data: what stands in the help is what is read. */

export type KeyBinding = {
  /** One key, or two after one another: `g d`. */
  keys: string
  words: string
  act: () => void
  mayRepeat?: boolean
}

export type Press = {
  key: string
  /** The place on the keyboard, for those whose letters are not Latin. */
  code: string
  /** Ctrl, Alt or Meta: those belong to the browser. */
  hasModifier: boolean
  isRepeat: boolean
  isTyping: boolean
  isDialogOpen: boolean
}

type Keys = Pick<KeyBinding, 'keys' | 'mayRepeat'>
/** `begun`: the first half of two keys, when that is what was pressed. */
export type Reading<Bound> = { found: Bound | null; begun: string | null }

/**
 * What a press means here. While somebody types or a dialog asks, letters are only letters. After a first half the second
 * one counts, or nothing: a slip of the finger must not decide anything.
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
