/** The bearer token and whose it is, for as long as the tab lives. Portal and desk keep theirs apart by name. */
export type StoredSession = { token: string; userId: string }

export type SessionStore = {
  read: () => StoredSession | null
  write: (session: StoredSession) => void
  clear: () => void
  /** Where somebody wanted to go before being asked to sign in; read once. */
  rememberTarget: (path: string) => void
  takeTarget: () => string | null
}

/** Only a path of this site: an address that could lead elsewhere is no target. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path)
}

export function createSessionStore(name: string, storage: Storage = sessionStorage): SessionStore {
  const sessionKey = `atrium.${name}.session`
  const targetKey = `atrium.${name}.target`
  return {
    read() {
      const text = storage.getItem(sessionKey)
      if (text === null) return null
      const [userId = '', token = ''] = text.split(' ')
      return token === '' ? null : { userId, token }
    },
    write: ({ token, userId }) => storage.setItem(sessionKey, `${userId} ${token}`),
    clear: () => storage.removeItem(sessionKey),
    rememberTarget: (path) => storage.setItem(targetKey, path),
    takeTarget() {
      const path = storage.getItem(targetKey)
      storage.removeItem(targetKey)
      return path !== null && isOwnPath(path) ? path : null
    },
  }
}
