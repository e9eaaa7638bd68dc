import type { Mutation } from './mutation.ts'

const tokens = ['tests/every-call/every-call-reads.test.ts']
const headers = ['server/headers.test.ts']

/** Headers: what a browser is told not to do. */
export const headersMutations: Mutation[] = [
  {
    name: 'a neighbouring host may set the cookie of the files',
    file: 'server/sessions/cookies.ts',
    find: 'name: `__Host-',
    replace: 'name: `',
    tests: headers,
    guards: 'H3',
  },
  {
    name: 'a file may be framed by anybody',
    file: 'server/http/private-files.ts',
    find: "; default-src 'none'; frame-ancestors 'none'",
    replace: "; default-src 'none'",
    tests: headers,
    guards: 'H1, H3',
  },
  {
    name: 'the frame of PDFs has the origin of the desk',
    file: 'server/http/secure-headers.ts',
    find: 'sandbox allow-scripts`',
    replace: 'sandbox allow-scripts allow-same-origin`',
    tests: ['server/http/secure-headers.test.ts'],
    guards: 'H3',
  },
  {
    name: 'a page runs scripts that stand in it',
    file: 'server/http/secure-headers.ts',
    find: '"script-src \'self\'"',
    replace: "\"script-src 'self' 'unsafe-inline'\"",
    tests: headers,
    guards: 'H2',
  },
  {
    name: 'another origin may read answers',
    file: 'server/http/secure-headers.ts',
    find: '    // Answers are somebody',
    replace: "    reply.header('access-control-allow-origin', '*')\n    // Answers are somebody",
    tests: tokens,
    guards: 'H3',
  },
  {
    name: 'a token is taken from a cookie too',
    file: 'server/http/route.ts',
    find: "request.headers.authorization ?? '')?.[1] ?? null",
    replace: "request.headers.authorization ?? '')?.[1] ?? request.cookies.token ?? null",
    tests: tokens,
    guards: 'H3',
  },
  {
    name: 'the portal of another brokerage may call',
    file: 'server/http/cross-origin.ts',
    find: 'if (headers.origin !== addresses?.portal) return',
    replace: 'if (!headers.origin.endsWith(context.config.domain) || !addresses) return',
    tests: ['server/cross-origin.test.ts'],
    guards: 'H3',
  },
  {
    name: 'what may call is what the request says',
    file: 'server/http/cross-origin.ts',
    find: "if (headers.origin !== addresses?.portal) return\n    reply.header('access-control-allow-origin', addresses.portal)",
    replace: "if (!addresses) return\n    reply.header('access-control-allow-origin', headers.origin)",
    tests: ['server/cross-origin.test.ts'],
    guards: 'H3',
  },
]
