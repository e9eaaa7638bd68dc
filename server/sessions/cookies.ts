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
function placeOf(request: FastifyRequest, cookie: FileCookie) {
  const secure = isOverTls(request)
  const options = { httpOnly: true, sameSite: 'strict', secure } as const
  return secure
    ? { name: `__Host-${cookie}`, options: { ...options, path: '/' } }
    : { name: cookie, options: { ...options, path: '/cp' } }
}

export function setFileCookie(
  reply: FastifyReply,
  request: FastifyRequest,
  cookie: FileCookie,
  { fileToken }: { fileToken: string },
): void {
  const { name, options } = placeOf(request, cookie)
  reply.setCookie(name, fileToken, options)
}

export function clearFileCookie(reply: FastifyReply, request: FastifyRequest, cookie: FileCookie): void {
  const { name, options } = placeOf(request, cookie)
  reply.clearCookie(name, options)
}

export function readFileCookie(request: FastifyRequest, cookie: FileCookie): string | undefined {
  return request.cookies[placeOf(request, cookie).name]
}

/** `__Secure-`, because `__Host-` requires the path `/` and this cookie is limited to the sign-in calls. */
export function deviceCookieName(request: FastifyRequest): string {
  return isOverTls(request) ? '__Secure-atrium_device' : 'atrium_device'
}
