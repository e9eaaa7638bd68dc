import { toast } from '../../ui/feedback/toast.ts'
import { i18n } from '../../ui/text/i18n.ts'
import { filesOfKey } from './last-sign-in.ts'

const takenText =
  'Another member signed in later in this browser. Files and pictures of this tab do not open until you sign in here again.'

/** The message stays until it is closed: nothing else in this tab says why its pictures are missing. */
const shownMs = 86_400_000

function signedInLast(): string | null {
  try {
    return localStorage.getItem(filesOfKey)
  } catch {
    return null
  }
}

const warn = () => toast.warning(i18n.t(takenText), shownMs)

/** Tells a tab once that the cookie for files belongs to another member; returns a function that stops it. */
export function watchFilesOwner(userId: string, tell: () => void = warn): () => void {
  let isTold = false
  const check = () => {
    const last = signedInLast()
    if (isTold || last === null || last === userId) return
    isTold = true
    tell()
  }
  const listen = ({ key }: StorageEvent) => {
    if (key === filesOfKey) check()
  }
  check()
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
