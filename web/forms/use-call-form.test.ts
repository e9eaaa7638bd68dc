// spec: MP 7, AO 4
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { notifications, notificationsStore as toasts } from '@mantine/notifications'
import { flushSync } from 'react-dom'
import { fetchAnswer } from '../api/transport.ts'
import { hookUnderTest } from '../hook-under-test.ts'
import { openPage } from '../page-under-test.ts'
import '../ui/text/i18n.ts'
import { type CallForm, type CallFormSettings, useCallForm } from './use-call-form.ts'

type Values = { amount: string; note: string }
type Answer = { amount: string }
type Settings = CallFormSettings<Values, 'amount', Answer>

/** The server behind fetch: it accepts each key once, and `how` says what becomes of each answer. */
let orders: [key: string, amount: string][] = []
let sent: [key: string, amount: string][] = []
let how: ('lost' | 'refused' | Promise<void>)[] = []
let keys = 0

async function serve(address: string, { body }: { body: string }): Promise<Response> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (address === '/members/get-unique-token') {
    keys += 1
    return Response.json({ status: 'ok', token: `key-${keys}` })
  }
  const { key, amount } = JSON.parse(body) as { key: string; amount: string }
  sent.push([key, amount])
  check()
  const mine = how.shift()
  if (mine === 'refused')
    return Response.json(
      { code: 'invalid_input', error: 'No.', errors: { amount: ['Too much.'], x: ['Odd.'] } },
      { status: 422 },
    )
  const earlier = orders.find(([known]) => known === key)
  if (earlier && earlier[1] !== amount) return Response.json({ code: 'nonce_reused', error: 'Used.' }, { status: 409 })
  if (!earlier) orders.push([key, amount])
  if (mine === 'lost') throw new TypeError('fetch failed')
  await mine
  return Response.json({ amount })
}

let form: CallForm<Values, 'amount', Answer>
let element: EventTarget
let dirty: boolean[] = []
let focused = 0
let closePage: () => void

/** A form of two values. Each render updates `form`. */
const useForm = (settings: Partial<Settings>) =>
  useCallForm<Values, 'amount', Answer>({
    start: { amount: '', note: '' },
    labels: { amount: 'Amount' },
    key: 'transaction_deposit',
    check: ({ amount }) => (amount === '' ? { amount: [texts.fieldsMissing] } : {}),
    send: async ({ amount }, { key, signal }) =>
      (await fetchAnswer({ method: 'POST', path: '/orders', body: JSON.stringify({ key, amount }), signal })) as Answer,
    onDirty,
    ...settings,
  })
const { show, until, check, close } = hookUnderTest(useForm, (shown) => {
  form = shown
  form.element.current = element as never
})
const onDirty = (isDirty: boolean) => dirty.push(isDirty)
const focus = () => {
  focused += 1
  check()
}

const open = (settings: Partial<Settings> = {}) => show(settings)
const change = (values: Partial<Values>) => flushSync(() => form.change(values))
/** Sends the form and waits for the outcome. */
async function submit(changes?: Partial<Values>): Promise<void> {
  flushSync(() => form.submit(changes))
  await until(() => form.isSubmitting)
  await until(() => !form.isSubmitting)
}

/** The messages of the toasts, once they are these. */
const untilToasts = (messages: string[]) =>
  new Promise<void>((resolve) => {
    const recheck = () => {
      if (
        !isDeepStrictEqual(
          toasts.getState().notifications.map(({ message }) => message),
          messages,
        )
      )
        return
      stop()
      resolve()
    }
    const stop = toasts.subscribe(recheck)
    recheck()
  })

beforeEach(() => {
  notifications.clean() // Other tests share the process.
  const field = { matches: () => true, focus }
  element = Object.assign(new EventTarget(), { querySelector: () => (form.errors.amount ? field : null) })
  ;[orders, sent, how, dirty, keys, focused] = [[], [], [], [], 0, 0]
  closePage = openPage(serve)
})
afterEach(() => {
  close()
  closePage()
})

describe('a form that posts a call', () => {
  it('sends once, and is clean and closed to another submission when it is done', async () => {
    const cleanAtDone: unknown[] = []
    open({ onDone: (answer) => cleanAtDone.push(answer, dirty.at(-1)) })
    change({ amount: '34' })
    assert.equal(form.isDirty, true)
    await submit()
    assert.deepEqual([cleanAtDone, form.isDirty, form.answer], [[{ amount: '34' }, false], false, { amount: '34' }])
    flushSync(() => form.submit())
    assert.deepEqual([sent, orders], [[['key-1', '34']], [['key-1', '34']]])
  })

  it('sends nothing while a field is invalid, and focuses the field', async () => {
    open({ incomplete: 'Not yet.' })
    flushSync(() => form.submit())
    await until(() => form.errorOf('amount') === texts.fieldsMissing)
    await until(() => focused === 1)
    assert.deepEqual([form.refusal, form.isSubmitting, sent, keys], [['Not yet.'], false, [], 0])
    change({ amount: '34' })
    assert.equal(form.errorOf('amount'), undefined)
  })

  it('names the wrong fields until the person corrects one', async () => {
    open()
    flushSync(() => form.submit())
    await untilToasts(['Please check: Amount'])
    element.dispatchEvent(new Event('input'))
    await untilToasts([])
  })

  it('shows the messages of the server at their fields and the others beside the button', async () => {
    open()
    how = ['refused']
    await submit({ amount: '34' })
    assert.deepEqual([form.errorOf('amount'), form.refusal, form.isUnknown], ['Too much.', ['Odd.'], false])
    await until(() => focused === 1)
    await submit({ amount: '35' })
    // A refusal does not consume the key.
    assert.deepEqual([orders, form.refusal], [[['key-1', '35']], []])
  })

  it('reports an unknown outcome and keeps its key, so that a repetition creates nothing', async () => {
    open()
    how = ['lost']
    await submit({ amount: '34' })
    assert.deepEqual(
      [form.isUnknown, form.mayBeDone(), form.isDirty, form.refusal],
      [true, true, true, [texts.requestFailed]],
    )
    await submit()
    assert.deepEqual([form.isUnknown, sent.length, orders], [false, 2, [['key-1', '34']]])
  })

  it('creates nothing for changed input after an unknown outcome, and has a new key after that is reported', async () => {
    open()
    how = ['lost']
    await submit({ amount: '34' })
    await submit({ amount: '35' })
    assert.deepEqual([form.refusal, orders], [[outcomeTexts.earlierAttemptDone], [['key-1', '34']]])
    await submit()
    assert.deepEqual(orders, [
      ['key-1', '34'],
      ['key-2', '35'],
    ])
  })

  it('ignores the second click of a double click after a refusal that changed what the next submission does', async () => {
    open()
    how = ['lost']
    await submit({ amount: '34' })
    flushSync(() => form.submit({ amount: '35' }))
    await until(() => form.error?.message === outcomeTexts.earlierAttemptDone)
    flushSync(() => form.submit())
    assert.equal(form.isSubmitting, true)
    await until(() => !form.isSubmitting)
    assert.deepEqual(orders, [['key-1', '34']])
  })

  it('ignores a second submission while one runs', async () => {
    open()
    let arrive = () => undefined as unknown
    how = [new Promise<void>((resolve) => (arrive = resolve))]
    flushSync(() => {
      form.submit({ amount: '34' })
      form.submit({ amount: '34' })
    })
    await until(() => form.isSubmitting)
    form.submit({ amount: '35' })
    arrive()
    await until(() => !form.isSubmitting)
    assert.deepEqual([sent, keys], [[['key-1', '34']], 1])
  })

  it('has a new key for the next submission of a form that stays open, and keeps what was typed meanwhile', async () => {
    open({ afterDone: 'anew', startAfter: ({ note }) => ({ amount: '', note }) })
    let arrive = () => undefined as unknown
    how = [new Promise<void>((resolve) => (arrive = resolve))]
    flushSync(() => form.submit({ amount: '34', note: 'first' }))
    await until(() => form.isSubmitting)
    change({ note: 'second' })
    arrive()
    await until(() => !form.isSubmitting)
    assert.deepEqual([form.values, form.isDirty], [{ amount: '', note: 'second' }, true])
    await submit({ amount: '34' })
    assert.equal(form.isDirty, false)
    assert.deepEqual(orders, [
      ['key-1', '34'],
      ['key-2', '34'],
    ])
  })

  it('reports unsaved input to its guard, by its own rule if it has one', () => {
    open({ isEdited: ({ note }) => note.trim() !== '' })
    change({ note: ' ' })
    assert.equal(dirty.at(-1), false)
    change({ note: 'x' })
    assert.equal(dirty.at(-1), true)
    flushSync(() => form.undo())
    assert.deepEqual([form.values.note, dirty.at(-1)], ['', false])
    change({ note: 'x' })
    close()
    assert.equal(dirty.at(-1), false, 'a form that is gone holds no edits')
  })

  it('does not look for its answer without a pause once it is gone', async (test) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    open()
    how = [promise]
    change({ amount: '34' })
    flushSync(() => form.submit())
    await until(() => sent.length === 1)
    const timer = test.mock.method(globalThis, 'setTimeout')
    close()
    const pauses = timer.mock.calls.map(({ arguments: [, ms] }) => Number(ms))
    timer.mock.restore()
    resolve()
    assert.ok(pauses.length > 0)
    for (const pause of pauses) assert.ok(pause >= 1_000, `${pause} ms`)
  })

  it('keeps its submission from the form around its dialog', async () => {
    const calls: string[] = []
    const event = { preventDefault: () => calls.push('prevented'), stopPropagation: () => calls.push('stopped') }
    open()
    change({ amount: '34' })
    flushSync(() => form.onSubmit(event as never))
    await until(() => form.isSubmitting)
    await until(() => !form.isSubmitting)
    assert.deepEqual([calls.toSorted(), orders], [['prevented', 'stopped'], [['key-1', '34']]])
  })

  it('keeps the input of this moment on values that were saved elsewhere', () => {
    open()
    change({ note: 'typed' })
    change({ note: 'typed further' })
    flushSync(() => form.rebase({ amount: '50', note: 'theirs' }, (now) => ({ ...now, amount: '50' })))
    assert.deepEqual([form.values, form.isDirty], [{ amount: '50', note: 'typed further' }, true])
    flushSync(() => form.undo())
    assert.deepEqual(form.values, { amount: '50', note: 'theirs' })
  })
})
