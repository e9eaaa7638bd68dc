import { type RefObject, useEffect, useRef } from 'react'

type Pasting = {
  zone: RefObject<HTMLElement | null>
  isOn: boolean
  onPaste: (event: globalThis.ClipboardEvent) => void
}

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
      const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
      const isHere = !dialog || dialog.contains(zone.current)
      if (isHere && (event.clipboardData?.files.length ?? 0) > 0) latest.current(event)
    }
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
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
