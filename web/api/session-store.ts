/** The bearer token and whose it is, for as long as the tab lives. Portal and desk keep theirs apart by name. */
export type StoredSession = { token: string; userId: string }

export type SessionStore = {
  read: () => StoredSession | null
  write: (session: StoredSession) => void
  /** The session is over, and why; whoever had it may go on where they were. */
  clear: (why?: string) => void
  /** Why nobody is in any more, until somebody is. */
  whyOver: () => string
  /** Whose session ended in this tab otherwise than by choice. */
  endedOf: () => string
  /** Somebody leaves by choice: no place of theirs is kept, nor, until the next sign-in, what a page was searched for. */
  leave: () => void
  /** Nobody was in this tab yet: neither is nor was signed in here. */
  isUnused: () => boolean
  /** Where somebody wanted to go before being asked to sign in. */
  rememberTarget: (path: string) => void
  /** Read once, by whoever signed in: what another person had searched for is not for them. */
  takeTarget: () => string | null
}

/** Only a path of this site: an address that could lead elsewhere is no target. Browsers skip tabs and line ends in one. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/\p{Cc}/u.test(path)
}

const withoutSearch = (path: string): string => path.replace(/[?#].*$/s, '')

export function createSessionStore(name: string, storage: Storage = sessionStorage): SessionStore {
  const sessionKey = `atrium.${name}.session`
  const targetKey = `atrium.${name}.target`
  /** Going back after leaving asks the gates again: they must not keep what the last person's addresses say. */
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
    lastUserId = read()?.userId ?? lastUserId
    whyOver = why
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
      clear('')
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
 * A page that the browser kept while somebody was elsewhere comes back as it was left, with whatever stood on it. When the
 * session is not the same any more, it is loaded anew.
 */
export function watchReturns(session: SessionStore, reload: () => void): void {
  let token: string | undefined
  addEventListener('pagehide', () => {
    token = session.read()?.token
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && session.read()?.token !== token) reload()
  })
}
