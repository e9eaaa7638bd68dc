import { type RefObject, useEffect, useRef } from 'react'

type Pasting = {
  zone: RefObject<HTMLElement | null>
  isOn: boolean
  onPaste: (event: globalThis.ClipboardEvent) => void
}

/**
 * A screenshot pasted anywhere on the page is the file, as long as none is there; while a dialog is open, only within that.
 * Text pastes are left alone.
 */
export function useFilePaste({ zone, isOn, onPaste }: Pasting) {
  const latest = useRef(onPaste)
  latest.current = onPaste
  useEffect(() => {
    if (!isOn) return
    const listen = (event: globalThis.ClipboardEvent) => {
      const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
      const isHere = !dialog || dialog.contains(zone.current)
      if (isHere && (event.clipboardData?.files.length ?? 0) > 0) latest.current(event)
    }
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [isOn, zone])
}

/** A file that misses the place would be opened by the browser, and the form with everything in it would be gone. */
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
