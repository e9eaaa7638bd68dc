import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type EveryCall, openEveryCall, prepare, send } from './fixture.ts'

let fixture: EveryCall
before(async () => {
  fixture = await openEveryCall()
})
after(() => fixture.close())

/** Encodes a body as a page's form does: lists by their names, and nested objects as JSON. */
function formOf(body: object): string {
  const pairs = Object.entries(body).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== 'object')
    if (isPlainList && value.length > 0) return value.map((each) => [`${name}[]`, String(each)])
    return [[name, value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)]]
  })
  return new URLSearchParams(pairs).toString()
}

describe('every call outside the desk', () => {
  it('accepts its valid request as a form', async () => {
    const calls = fixture.calls.filter(({ method, call }) => method === 'POST' && call.access !== 'staff')
    assert.ok(calls.length > 50, String(calls.length))
    const refused: string[] = []
    for (const route of calls) {
      const { body = {}, ...request } = await prepare(fixture, route)
      if (request.file) continue
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...request.headers }
      const { status, raw } = await send(fixture, route, { ...request, headers, form: formOf(body) })
      if (status >= 300) refused.push(`${route.name}: ${status} ${raw}`)
    }
    assert.deepEqual(refused, [])
  })
})
