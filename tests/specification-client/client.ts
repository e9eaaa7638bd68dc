import assert from 'node:assert/strict'

/**
 * A client written only from the two specifications: it uses their calls, fields and expected values, and sends no field that
 * they do not name. Whatever fails here fails for any other client of the specifications.
 */
type Answer = { status: number; body: Body }
type Body = { status?: string; errors?: Record<string, string[]>; error?: string; [name: string]: unknown }
type Fields = Record<string, unknown>
type Shape = 'json' | 'form' | 'multipart'
export const shapes: readonly Shape[] = ['json', 'form', 'multipart']

type Upload = { name: string; content: Buffer; type: string }

export type Client = ReturnType<typeof clientAt>

export function clientAt(url: string) {
  let token: string | undefined

  async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(init.headers as Record<string, string>) }
    const answer = await fetch(url + path, { ...init, headers })
    const body = (await answer.json()) as Body
    if (answer.status >= 400)
      assert.ok(Object.values(body.errors ?? {}).flat().length > 0, `${path}: no errors in ${JSON.stringify(body)}`)
    return { status: answer.status, body }
  }

  function send(path: string, fields: Fields, as: Shape = 'json'): Promise<Answer> {
    if (as === 'json')
      return ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      })
    const pairs = flatten(fields)
    if (as === 'form') return ask(path, { method: 'POST', body: new URLSearchParams(pairs) })
    const form = new FormData()
    for (const [name, value] of pairs) form.append(name, value)
    return ask(path, { method: 'POST', body: form })
  }

  async function done(path: string, fields: Fields = {}, as: Shape = 'json'): Promise<Body> {
    const { status, body } = await send(path, fields, as)
    assert.deepEqual([status, body.status], [200, 'ok'], `${path} as ${as}: ${JSON.stringify(body)}`)
    return body
  }

  async function read(path: string): Promise<Body> {
    const { status, body } = await ask(path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    return body
  }

  async function query<Data = Record<string, unknown>>(text: string): Promise<{ data: Data; extra: Fields }> {
    const body = await read(`/graph?q=${encodeURIComponent(Buffer.from(text).toString('base64'))}`)
    assert.equal(body.errors, undefined, JSON.stringify(body.errors))
    return { data: body.data as Data, extra: body.extra as Fields }
  }

  async function upload({ name, content, type }: Upload, kind: 'image' | 'file' | 'video' = 'file'): Promise<string> {
    const form = new FormData()
    form.append('file', new File([new Uint8Array(content)], name, { type }))
    const { status, body } = await ask(`/media/cp-upload-${kind}`, { method: 'POST', body: form })
    assert.deepEqual([status, body.status], [200, 'ok'], JSON.stringify(body))
    return String((body[kind] as Fields)._id)
  }

  return {
    ask,
    send,
    done,
    read,
    query,
    upload,
    async signIn(email: string, password: string) {
      const { user, token: given } = await done('/members/login', { email, password })
      if (given) token = String(given)
      return user as { _id: string }
    },
    async signOut() {
      await done('/users/logout')
      token = undefined
    },
    /** A create call needs a token requested just before. */
    async tokenFor(token_key: string) {
      return { token_key, nonce_token: (await done('/members/get-unique-token', { token_key })).token }
    },
  }
}

/** Nested names in PHP's notation. */
function flatten(value: unknown, name = ''): [string, string][] {
  if (value === null || value === undefined) return [[name, '']]
  if (Array.isArray(value)) return value.flatMap((each) => flatten(each, `${name}[]`))
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([inner, each]) => flatten(each, name === '' ? inner : `${name}[${inner}]`))
}
