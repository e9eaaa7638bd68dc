import { createElement, type HTMLAttributes, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

type Report = (isVisible: boolean) => void

const reports = new Map<Element, Report>()
let observer: IntersectionObserver | undefined

/** One observer for all elements: a list can have hundreds of rows. */
function observe(element: Element, report: Report): () => void {
  observer ??= startObserver()
  reports.set(element, report)
  observer.observe(element)
  return () => {
    reports.delete(element)
    observer?.unobserve(element)
  }
}

function startObserver(): IntersectionObserver {
  const started = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) reports.get(target)?.(isIntersecting)
    },
    // Half a screen around the viewport, so that content is current before it is scrolled into view.
    { rootMargin: '50% 0px' },
  )
  // A print shows the whole page.
  addEventListener('beforeprint', () =>
    flushSync(() => {
      for (const report of reports.values()) report(true)
    }),
  )
  addEventListener('afterprint', () => {
    for (const element of reports.keys()) {
      started.unobserve(element)
      started.observe(element)
    }
  })
  return started
}

/**
 * The newest value while the element is within half a screen of the viewport, then the last one from that time;
 * `before` is the value until then. The value must come from props, since React skips a child that is the same element
 * as before.
 */
export function useWhileVisible<Value>(place: RefObject<Element | null>, newest: Value, before = newest): Value {
  const [isVisible, setIsVisible] = useState(false)
  const [held, hold] = useState(() => before)
  useEffect(() => (place.current ? observe(place.current, setIsVisible) : undefined), [place])
  if (isVisible && held !== newest) hold(() => newest)
  return isVisible ? newest : held
}

type LiveProps = HTMLAttributes<HTMLElement>

function useLiveElement(tag: 'div' | 'li' | 'tr', { children, ...rest }: LiveProps) {
  const place = useRef<HTMLElement>(null)
  return createElement(tag, { ...rest, ref: place }, useWhileVisible(place, children))
}

/** Elements with live metrics: their children re-render only near the viewport, and show the newest metrics when they are. */
export const LiveBlock = (props: LiveProps) => useLiveElement('div', props)
export const LiveItem = (props: LiveProps) => useLiveElement('li', props)
export const LiveRow = (props: LiveProps) => useLiveElement('tr', props)
