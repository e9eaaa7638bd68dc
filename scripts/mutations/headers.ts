import type { Mutation } from './mutation.ts'

const tokens = ['tests/every-call/every-call-reads.test.ts']
const headers = ['server/headers.test.ts']

/** Headers: browser security policies. */
export const headersMutations: Mutation[] = [
  {
    name: 'a sibling host can set the file cookie',
    file: 'server/sessions/cookies.ts',
    find: 'name: `__Host-',
    replace: 'name: `',
    tests: headers,
    guards: 'H3',
  },
  {
    name: 'any site can frame a file',
    file: 'server/http/private-files.ts',
    find: "; default-src 'none'; frame-ancestors 'none'",
    replace: "; default-src 'none'",
    tests: headers,
    guards: 'H1, H3',
  },
  {
    name: 'the PDF frame has the origin of the desk',
    file: 'server/http/secure-headers.ts',
    find: 'sandbox allow-scripts`',
    replace: 'sandbox allow-scripts allow-same-origin`',
    tests: ['server/http/secure-headers.test.ts'],
    guards: 'H3',
  },
  {
    name: 'a page runs inline scripts',
    file: 'server/http/secure-headers.ts',
    find: '"script-src \'self\'"',
    replace: "\"script-src 'self' 'unsafe-inline'\"",
    tests: headers,
    guards: 'H2',
  },
  {
    name: 'another origin can read answers',
    file: 'server/http/secure-headers.ts',
    find: '    // Answers hold money',
    replace: "    'access-control-allow-origin': '*',\n    // Answers hold money",
    tests: tokens,
    guards: 'H3',
  },
  {
    name: 'a token in a cookie is accepted',
    file: 'server/http/authenticate.ts',
    find: "request.headers.authorization ?? '')?.[1] ?? null",
    replace: "request.headers.authorization ?? '')?.[1] ?? request.cookies.token ?? null",
    tests: tokens,
    guards: 'H3',
  },
  {
    name: 'CORS allows the portal of another brokerage',
    file: 'server/http/cross-origin.ts',
    find: 'if (headers.origin !== addresses?.portal) return',
    replace: 'if (!headers.origin.endsWith(context.config.domain) || !addresses) return',
    tests: ['server/cross-origin.test.ts'],
    guards: 'H3',
  },
  {
    name: 'CORS allows every origin',
    file: 'server/http/cross-origin.ts',
    find: "if (headers.origin !== addresses?.portal) return false\n    reply.header('access-control-allow-origin', addresses.portal)",
    replace: "if (!addresses) return false\n    reply.header('access-control-allow-origin', headers.origin)",
    tests: ['server/cross-origin.test.ts'],
    guards: 'H3',
  },
]
