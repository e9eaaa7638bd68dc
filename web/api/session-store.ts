/** The bearer token and its user, for the lifetime of the tab. Portal and desk use different names. */
export type StoredSession = { token: string; userId: string }

export type SessionStore = {
  read: () => StoredSession | null
  write: (session: StoredSession) => void
  /** Ends the session with a reason; the same user can return to their page. */
  clear: (why?: string) => void
  /** The reason why the last session ended, until the next sign-in. */
  whyOver: () => string
  /** The user whose session in this tab ended other than by sign-out. */
  endedOf: () => string
  /** Signs out by choice: forgets the target and, until the next sign-in, stores paths without their query. */
  leave: () => void
  /** True when this tab has never had a session. */
  isUnused: () => boolean
  /** Stores the page to open after sign-in. */
  rememberTarget: (path: string) => void
  /** Returns the target once; a different user gets the path without the query of the previous one. */
  takeTarget: () => string | null
}

/** Accepts only a path of this site, to prevent open redirects. Browsers ignore tabs and line breaks in a URL. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/\p{Cc}/u.test(path)
}

const withoutSearch = (path: string): string => path.replace(/[?#].*$/s, '')

export function createSessionStore(name: string, storage: Storage = sessionStorage): SessionStore {
  const sessionKey = `atrium.${name}.session`
  const targetKey = `atrium.${name}.target`
  /** Set after sign-out, when going back runs the route guards again and must not store the previous user's query. */
  const leftKey = `atrium.${name}.left`
  let lastUserId = ''
  let whyOver = ''
  const read = (): StoredSession | null => {
    const text = storage.getItem(sessionKey)
    if (text === null) return null
    const [userId = '', token = ''] = text.split(' ')
    return token === '' ? null : { userId, token }
  }
  const clear = (why = whyOver) => {
    const session = read()
    lastUserId = session?.userId ?? lastUserId
    // A call without a session fails as well, which must not replace the reason why the session ended.
    if (session || whyOver === '') whyOver = why
    storage.removeItem(sessionKey)
  }
  const endedOf = () => (read() ? '' : lastUserId)
  return {
    read,
    clear,
    endedOf,
    whyOver: () => whyOver,
    write({ token, userId }) {
      whyOver = ''
      storage.setItem(sessionKey, `${userId} ${token}`)
      storage.removeItem(leftKey)
    },
    leave() {
      clear()
      whyOver = ''
      lastUserId = ''
      storage.removeItem(targetKey)
      storage.setItem(leftKey, 'yes')
    },
    isUnused: () =>
      !read() && endedOf() === '' && !storage.getItem(leftKey) && !/^[^ ]/.test(storage.getItem(targetKey) ?? ''),
    rememberTarget(path) {
      const hasLeft = storage.getItem(leftKey) !== null
      storage.setItem(targetKey, `${read()?.userId ?? lastUserId} ${hasLeft ? withoutSearch(path) : path}`)
    },
    takeTarget() {
      const [userId = '', ...rest] = (storage.getItem(targetKey) ?? '').split(' ')
      storage.removeItem(targetKey)
      const path = rest.join(' ')
      if (!isOwnPath(path)) return null
      return userId === '' || userId === read()?.userId ? path : withoutSearch(path)
    },
  }
}

/**
 * A page restored from the back/forward cache still shows its old content, so it reloads when the session changed in the
 * meantime. An entrance also reloads when somebody is signed in, and then leads on.
 */
export function watchReturns(session: SessionStore, reload: () => void, { isEntrance = false } = {}): void {
  let token: string | undefined
  addEventListener('pagehide', () => {
    token = session.read()?.token
  })
  addEventListener('pageshow', ({ persisted }) => {
    const now = session.read()?.token
    if (persisted && (now !== token || (isEntrance && now !== undefined))) reload()
  })
}
