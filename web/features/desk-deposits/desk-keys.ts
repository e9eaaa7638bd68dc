/** The desk's keyboard, as data: what stands in the help is what is read. */

export type DeskAction = 'next' | 'previous' | 'approve' | 'reject' | 'search' | 'help'

type DeskKey = { key: string; action: DeskAction; words: string; mayRepeat?: boolean }

export const deskKeys: DeskKey[] = [
  { key: 'j', action: 'next', words: 'Next deposit', mayRepeat: true },
  { key: 'k', action: 'previous', words: 'Previous deposit', mayRepeat: true },
  { key: 'a', action: 'approve', words: 'Approve, after a question' },
  { key: 'r', action: 'reject', words: 'Reject, with a reason' },
  { key: '/', action: 'search', words: 'Search' },
  { key: '?', action: 'help', words: 'Show these keys' },
]

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

/** A press that means something here, or null. While somebody types or a dialog asks, letters are only letters. */
export function readDeskKey(press: Press): DeskAction | null {
  if (press.hasModifier || press.isTyping || press.isDialogOpen) return null
  const found = deskKeys.find(({ key }) => key === letterOf(press))
  if (!found || (press.isRepeat && !found.mayRepeat)) return null
  return found.action
}

function letterOf({ key, code }: Press): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  const isOtherScript = key.length === 1 && key.charCodeAt(0) > 127
  const place = /^Key([A-Z])$/.exec(code)?.[1]
  return isOtherScript && place ? place.toLowerCase() : key
}
