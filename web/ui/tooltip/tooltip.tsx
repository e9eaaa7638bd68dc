import { cloneElement, type PointerEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import parts from './tooltip.module.css'
import { tooltipPosition } from './tooltip-position.ts'

const openDelayMs = 250

type TooltipProps = {
  label: string
  side?: 'above' | 'after'
  /** Also shows the tip on keyboard focus, for a label that is not displayed elsewhere. */
  isOnFocus?: boolean
  isOff?: boolean
  /** One element that forwards its events and `aria-describedby`. */
  children: ReactElement<Record<string, unknown>>
}

/** Shows the meaning of an icon on hover. Every frame contains it, so it does not use the library that places menus. */
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
  const tip = useRef<HTMLDivElement>(null)
  const isShown = anchor !== null && !isOff
  const close = () => {
    clearTimeout(timer.current)
    setAnchor(null)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (anchor === null || isOff) return
    const closeByKey = ({ key }: KeyboardEvent) => key === 'Escape' && setAnchor(null)
    // With the keyboard no pointer can show the tip again, and the focus itself scrolls the page.
    const followOrClose = () => {
      if (anchor !== document.activeElement) setAnchor(null)
      else if (tip.current) place(tip.current, anchor, side)
    }
    document.addEventListener('keydown', closeByKey)
    addEventListener('scroll', followOrClose, { capture: true, passive: true })
    return () => {
      document.removeEventListener('keydown', closeByKey)
      removeEventListener('scroll', followOrClose, { capture: true })
    }
  }, [anchor, isOff, side])
  // A menu with the same trigger passes an empty `className`, which would override that of the element.
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
          <div
            ref={(element) => {
              tip.current = element
              if (element) place(element, anchor, side)
            }}
            id={id}
            role="tooltip"
            className={parts.tip}
          >
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
  const { left, top } = tooltipPosition(wanted, anchor.getBoundingClientRect(), tip.getBoundingClientRect(), room)
  tip.style.transform = `translate(${left}px, ${top}px)`
}
