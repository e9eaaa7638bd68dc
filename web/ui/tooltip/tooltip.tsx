import { cloneElement, type PointerEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { tipPlace } from './tip-place.ts'
import parts from './tooltip.module.css'

const openDelayMs = 250

type TooltipProps = {
  label: string
  side?: 'above' | 'after'
  /** Also for whoever reaches the element by keyboard: where the label is nowhere else to be seen. */
  isOnFocus?: boolean
  isOff?: boolean
  /** One element that hands its events and `aria-describedby` on. */
  children: ReactElement<Record<string, unknown>>
}

/** What an icon means, for whoever points at it. In every frame, so it does without the library that places menus. */
export function Tooltip({
  label,
  side = 'above',
  isOnFocus = false,
  isOff = false,
  children,
  ...around
}: TooltipProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isShown = anchor !== null && !isOff
  const close = () => {
    clearTimeout(timer.current)
    setAnchor(null)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isShown) return
    const closeByKey = ({ key }: KeyboardEvent) => key === 'Escape' && setAnchor(null)
    const closeByMove = () => setAnchor(null)
    document.addEventListener('keydown', closeByKey)
    addEventListener('scroll', closeByMove, { capture: true, passive: true })
    return () => {
      document.removeEventListener('keydown', closeByKey)
      removeEventListener('scroll', closeByMove, { capture: true })
    }
  }, [isShown])
  // A menu of the same trigger hands it a class as well, and has none to hand.
  const { className: _, ...handed } = around as Record<string, unknown>
  const element = cloneElement(children, {
    ...handed,
    onPointerEnter: ({ pointerType, currentTarget }: PointerEvent) => {
      if (pointerType !== 'mouse') return
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setAnchor(currentTarget), openDelayMs)
    },
    onPointerLeave: close,
    onPointerDown: close,
    ...(isOnFocus && {
      onFocus: ({ currentTarget }: { currentTarget: Element }) =>
        currentTarget.matches(':focus-visible') && setAnchor(currentTarget),
      onBlur: close,
    }),
    ...(isShown && { 'aria-describedby': id }),
  })
  return (
    <>
      {element}
      {isShown &&
        createPortal(
          <div ref={(tip) => (tip ? place(tip, anchor, side) : undefined)} id={id} role="tooltip" className={parts.tip}>
            {label}
          </div>,
          document.body,
        )}
    </>
  )
}

function place(tip: HTMLElement, anchor: Element, side: 'above' | 'after'): void {
  const room = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight }
  const isRightToLeft = document.documentElement.dir === 'rtl'
  const wanted = side === 'above' ? 'above' : isRightToLeft ? 'left' : 'right'
  const { left, top } = tipPlace(wanted, anchor.getBoundingClientRect(), tip.getBoundingClientRect(), room)
  tip.style.transform = `translate(${left}px, ${top}px)`
}
