import { report } from '../../api/log.ts'
import type { SessionStore } from '../../api/session-store.ts'
import { channelName, post, type TabMessage } from './tabs-channel.ts'

/** Held while a tab is signed in, so that a new tab knows whether any tab can answer. */
const lockPrefix = 'atrium.portal.signed-in '
/** A background tab may be slow; without a signed-in tab there is no wait. */
const answerMsMax = 2_000

const nonceShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const channelFor = (nonce: string) => `${channelName}.${nonce}`

const textOf = (value: unknown, name: string): string => {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof text === 'string' ? text : ''
}

/** Other scripts of this origin may send anything on the channel. */
function readMessage(data: unknown): TabMessage | null {
  const [kind, userId, nonce] = ['kind', 'userId', 'nonce'].map((name) => textOf(data, name))
  if (!userId) return null
  if (kind === 'ask' && nonce && nonceShape.test(nonce)) return { kind, userId, nonce }
  return kind === 'left' ? { kind, userId } : null
}

/** The members signed in in any tab. Browsers without locks (or without TLS) share nothing. */
async function readSignedIn(): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const names = held.flatMap(({ name }) => (name?.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : []))
  return [...new Set(names)]
}

/** For a tab without a session. With two members signed in, it takes neither: the person must choose. */
export async function takeSharedSession(session: SessionStore): Promise<boolean> {
  if (!session.isUnused()) return false
  const [userId, ...others] = await readSignedIn()
  if (userId === undefined || others.length > 0) return false
  const nonce = crypto.randomUUID()
  const answers = new BroadcastChannel(channelFor(nonce))
  const handed = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(''), answerMsMax)
    answers.onmessage = ({ data }) => {
      const token = textOf(data, 'token')
      if (textOf(data, 'userId') !== userId || token === '') return
      clearTimeout(timer)
      resolve(token)
    }
  })
  post(channelName, { kind: 'ask', userId, nonce })
  const token = await handed
  answers.close()
  if (token === '' || session.read()) return session.read() !== null
  session.write({ userId, token })
  return true
}

/** Shares the session while a member is signed in; returns a function that stops it. */
export function shareSession(session: SessionStore, onLeftElsewhere: () => void): () => void {
  const own = session.read()
  if (!own || !navigator.locks) return () => undefined
  const isOwn = ({ userId }: TabMessage) => userId === own.userId && session.read()?.userId === userId
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    const message = readMessage(data)
    const current = session.read()
    if (!message || !current || !isOwn(message)) return
    if (message.kind === 'ask') post(channelFor(message.nonce), current)
    else onLeftElsewhere()
  }
  const stopped = new AbortController()
  const isStopped = new Promise<void>((resolve) => stopped.signal.addEventListener('abort', () => resolve()))
  navigator.locks
    .request(`${lockPrefix}${own.userId}`, { mode: 'shared' }, () => isStopped)
    // The page is already unloading.
    .catch((problem: unknown) => report('tabs.unlocked', { error: String(problem) }))
  return () => {
    stopped.abort()
    channel.close()
  }
}
