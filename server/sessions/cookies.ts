import type { FastifyReply, FastifyRequest } from 'fastify'

/** Cookies that are good for GET under /cp/ only, since a picture or a download link cannot carry a bearer token. */
export const fileCookies = { member: 'atrium_files', staff: 'atrium_desk_files' } as const
type FileCookie = (typeof fileCookies)[keyof typeof fileCookies]

/** In production always: TLS ends in front of us there, whether or not the proxy's word for it is believed. */
export function isOverTls(request: FastifyRequest): boolean {
  return request.server.isBehindTls || request.protocol === 'https'
}

/**
 * With the prefix a browser takes the cookie over TLS only, from this very host and for every path: no other host of the
 * domain can set one or put its own in front. That it opens nothing outside of /cp/ is kept by who reads it: the files.
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

/** Its paths are those of the sign-in calls, so `__Host-`, which wants every path, is not for the sign of a device. */
export function deviceCookieName(request: FastifyRequest): string {
  return isOverTls(request) ? '__Secure-atrium_device' : 'atrium_device'
}
