import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { createElement, useRef } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { LiveItem, useWhileVisible } from './while-visible.ts'

type Entry = { target: unknown; isIntersecting: boolean }
type Observed = { id: string }

const accounts = Array.from({ length: 500 }, (_, index) => `account-${index}`)
/** Observed elements by their id. */
const observed = new Map<string, Observed>()
const started: ((entries: Entry[]) => void)[] = []
const listeners = new Map<string, () => void>()
let renders: string[] = []
const shown = new Map<string, string>()
let root: Root

class IntersectionObserver {
  constructor(report: (entries: Entry[]) => void) {
    started.push(report)
  }
  observe(element: Observed) {
    observed.set(element.id, element)
  }
  unobserve(element: Observed) {
    observed.delete(element.id)
  }
}

const nothing = () => undefined
const ownerDocument: object = {
  nodeType: 9,
  addEventListener: nothing,
  defaultView: { HTMLIFrameElement: Map },
  createElement: makeElement,
}

/** React needs a page to render into; only the ids matter here. */
function makeElement(tagName = 'UL') {
  return {
    ...{ nodeType: 1, tagName, namespaceURI: '', ownerDocument, id: '' },
    setAttribute(name: string, value: string) {
      if (name === 'id') this.id = value
    },
    ...{ addEventListener: nothing, appendChild: nothing, insertBefore: nothing, removeChild: nothing },
  }
}

function Balance({ account, balance }: { account: string; balance: string }) {
  renders.push(account)
  shown.set(account, balance)
  return null
}

function Chart({ points }: { points: string }) {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useWhileVisible(place, points, null as string | null)
  return createElement(
    'div',
    { id: 'chart', ref: place },
    createElement(Balance, { account: 'chart', balance: `${drawn}` }),
  )
}

const item = (account: string, balance: string) =>
  createElement(LiveItem, { key: account, id: account }, createElement(Balance, { account, balance }))

function draw(balance: string, listed = accounts): void {
  renders = []
  flushSync(() => root.render(listed.map((account) => item(account, balance))))
}
function scrollTo(visible: readonly string[]): void {
  renders = []
  const entries = [...observed].map(([id, target]) => ({ target, isIntersecting: visible.includes(id) }))
  flushSync(() => started[0]?.(entries))
}

beforeEach(() => {
  Object.assign(globalThis, {
    window: {},
    IntersectionObserver,
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
  })
  shown.clear()
  root = createRoot(makeElement() as never)
  draw('1.00')
})
afterEach(() => {
  flushSync(() => root.unmount())
})

it('renders every account at first, and after a change only the visible ones', () => {
  assert.deepEqual(renders, accounts)
  scrollTo(accounts.slice(0, 8))
  assert.deepEqual(renders, [], 'what is shown is current already')
  draw('2.00')
  assert.deepEqual(renders, accounts.slice(0, 8))
  assert.deepEqual([shown.get('account-7'), shown.get('account-8')], ['2.00', '1.00'])
})

it('shows the newest balance with the render in which an account becomes visible, and keeps it afterwards', () => {
  scrollTo(accounts.slice(0, 8))
  draw('2.00')
  draw('3.00')
  scrollTo(accounts.slice(4, 12))
  assert.deepEqual(renders, accounts.slice(8, 12))
  assert.equal(shown.get('account-8'), '3.00')
  draw('4.00')
  assert.deepEqual(renders, accounts.slice(4, 12))
  assert.equal(shown.get('account-0'), '3.00')
})

it('prints the newest balances of every account', () => {
  scrollTo(accounts.slice(0, 8))
  draw('2.00')
  listeners.get('beforeprint')?.()
  assert.deepEqual(new Set(shown.values()), new Set(['2.00']))
  listeners.get('afterprint')?.()
  scrollTo(accounts.slice(0, 8))
  draw('3.00')
  assert.deepEqual(renders, accounts.slice(0, 8))
})

it('observes with one observer, and only what is on the page', () => {
  assert.equal(observed.size, accounts.length)
  draw('2.00', accounts.slice(0, 3))
  assert.deepEqual([...observed.keys()], accounts.slice(0, 3))
  assert.equal(started.length, 1)
})

it('holds what comes before an element is visible for the first time', () => {
  const drawChart = (points: string) => flushSync(() => root.render(createElement(Chart, { points })))
  drawChart('one')
  assert.equal(shown.get('chart'), 'null')
  scrollTo(['chart'])
  assert.equal(shown.get('chart'), 'one')
  scrollTo([])
  drawChart('two')
  assert.equal(shown.get('chart'), 'one')
})
