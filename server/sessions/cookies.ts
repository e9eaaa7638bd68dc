import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Cookies for GET under /cp/ only, since a picture or a download link cannot carry a bearer token. */
export const fileCookies = { member: 'atrium_files', staff: 'atrium_desk_files' } as const
type FileCookie = (typeof fileCookies)[keyof typeof fileCookies]

/** Always true in production: TLS ends at the proxy there, whether or not its headers are trusted. */
export function isOverTls(request: FastifyRequest): boolean {
  return request.server.isBehindTls || request.protocol === 'https'
}

/**
 * With the `__Host-` prefix a browser accepts the cookie only over TLS, from this host and for every path, so no other
 * host of the domain can set or shadow it. Only the file routes under /cp/ read it.
 */
function placeOf(request: FastifyRequest, cookie: string) {
  const secure = isOverTls(request)
  const options = { httpOnly: true, sameSite: 'strict', secure } as const
  return secure
    ? { name: `__Host-${cookie}`, options: { ...options, path: '/' } }
    : { name: cookie, options: { ...options, path: '/cp' } }
}

/** The cookie of one person, beside the one of whoever signed in last: several may be signed in, each in a tab. */
const cookieOf = (cookie: FileCookie, personId: string) => `${cookie}_${hash('sha256', personId).slice(0, 16)}`

/** The people whose cookies one browser keeps, since each is sent with every request. */
const peopleMax = 5

type Held = { cookie: FileCookie; personId: string }

/** Sets the two cookies of a session, and clears those of the people who signed in longest ago. */
export function setFileCookies(
  reply: FastifyReply,
  request: FastifyRequest,
  { cookie, personId, fileToken }: Held & { fileToken: string },
): void {
  const own = placeOf(request, cookieOf(cookie, personId))
  for (const { name, options } of [placeOf(request, cookie), own]) reply.setCookie(name, fileToken, options)
  const others = namesOf(request, cookie).filter((name) => name !== own.name)
  for (const name of others.slice(0, Math.max(0, others.length - peopleMax + 1))) reply.clearCookie(name, own.options)
}

/** The names of the cookies of single people, those of the earliest sign-ins first, as browsers send them. */
function namesOf(request: FastifyRequest, cookie: FileCookie): string[] {
  const { name: all } = placeOf(request, cookie)
  return Object.keys(request.cookies).filter((name) => name.startsWith(`${all}_`) && /_[\da-f]{16}$/.test(name))
}

/** Clears the cookies that hold the session's token, by `isOwn`, and those that the browser does not send to this path. */
export async function clearFileCookies(
  reply: FastifyReply,
  request: FastifyRequest,
  { cookie, personId, isOwn }: Held & { isOwn: (token: string) => Promise<boolean> },
): Promise<() => void> {
  const places = [cookie, cookieOf(cookie, personId)].map((each) => placeOf(request, each))
  const owned = await Promise.all(
    places.map(async ({ name }) => request.cookies[name] === undefined || (await isOwn(request.cookies[name]))),
  )
  return () => {
    for (const [index, { name, options }] of places.entries()) if (owned[index]) reply.clearCookie(name, options)
  }
}

/** The tokens of everybody who is signed in to this browser. */
export function readFileCookies(request: FastifyRequest, cookie: FileCookie): string[] {
  const names = [placeOf(request, cookie).name, ...namesOf(request, cookie).slice(-peopleMax)]
  return [...new Set(names.flatMap((name) => request.cookies[name] || []))]
}

/** `__Secure-`, because `__Host-` requires the path `/` and this cookie is limited to the sign-in calls. */
export function deviceCookieName(request: FastifyRequest): string {
  return isOverTls(request) ? '__Secure-atrium_device' : 'atrium_device'
}
