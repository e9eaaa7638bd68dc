import { type RefObject, useEffect, useRef } from 'react'

type Zone = RefObject<HTMLElement | null>

type Pasting = {
  zone: Zone
  isOn: boolean
  onPaste: (event: globalThis.ClipboardEvent) => void
}

/** The zones that wait for a file. */
const waiting = new Set<Zone>()

/** One file goes into one zone: the one with the focus, or else the first of the page. */
function zoneFor(zones: Zone[], focused: Element | null): Zone | undefined {
  const [first] = zones.toSorted(({ current: left }, { current: right }) =>
    left && right && left.compareDocumentPosition(right) & isFollowing ? -1 : 1,
  )
  return zones.find(({ current }) => current?.contains(focused)) ?? first
}

/** `Node.DOCUMENT_POSITION_FOLLOWING` */
const isFollowing = 4

/**
 * Takes a screenshot pasted anywhere on the page while no file is picked; in an open dialog, only within that dialog.
 * Ignores pasted text.
 */
export function useFilePaste({ zone, isOn, onPaste }: Pasting) {
  const latest = useRef(onPaste)
  latest.current = onPaste
  useEffect(() => {
    if (!isOn) return
    const listen = (event: globalThis.ClipboardEvent) => {
      if (event.defaultPrevented || (event.clipboardData?.files.length ?? 0) === 0) return
      const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
      const here = [...waiting].filter(({ current }) => !dialog || dialog.contains(current))
      if (zoneFor(here, document.activeElement) !== zone) return
      // The zone may be full before the listeners of the others run.
      event.preventDefault()
      latest.current(event)
    }
    waiting.add(zone)
    document.addEventListener('paste', listen)
    return () => {
      waiting.delete(zone)
      document.removeEventListener('paste', listen)
    }
  }, [isOn, zone])
}

/** Prevents the browser from opening a file dropped beside the target, which would discard the form. */
export function useNothingOpened() {
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    document.addEventListener('dragover', keep)
    document.addEventListener('drop', keep)
    return () => {
      document.removeEventListener('dragover', keep)
      document.removeEventListener('drop', keep)
    }
  }, [])
}
