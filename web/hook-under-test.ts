import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement } from '../tests/fixtures/page-element.ts'
import { queryClient } from './ui/lists/query-client.ts'

type Rendered<Props, Result> = { useHook: (props: Props) => Result; props: Props; onRender: (result: Result) => void }

function Hook<Props, Result>({ useHook, props, onRender }: Rendered<Props, Result>) {
  const result = useHook(props)
  useLayoutEffect(() => onRender(result))
  return null
}

/** Renders a hook without a browser. `onRender` receives its result after each render. */
export function hookUnderTest<Result, Props = void>(
  useHook: (props: Props) => Result,
  onRender: (result: Result) => void,
) {
  let root: Root | undefined
  const checks = new Set<() => void>()
  const check = () => {
    for (const recheck of checks) recheck()
  }
  const rendered = (result: Result) => {
    onRender(result)
    check()
  }
  function show(props: Props): void {
    // React also reads `window` after a root is unmounted, so that it stays.
    if (!('window' in globalThis)) Object.assign(globalThis, { window: {} })
    root ??= createRoot(makePageElement() as never)
    const shown = createElement(Hook<Props, Result>, { useHook, props, onRender: rendered })
    flushSync(() => root?.render(createElement(QueryClientProvider, { client: queryClient }, shown)))
  }
  /** Waits for a render, or a call of `check`, after which this holds. */
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const recheck = () => holds() && checks.delete(recheck) && resolve()
      checks.add(recheck)
      recheck()
    })
  function close(): void {
    flushSync(() => root?.unmount())
    root = undefined
  }
  return { show, until, check, close }
}
