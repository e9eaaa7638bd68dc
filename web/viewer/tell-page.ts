import type { FormFrameWord } from '@atrium/contract/forms/frame.ts'
import { useEffect } from 'react'

/** To the page around this one, if it is one of ours: to any other the browser does not deliver it. */
export function sayToPage(word: FormFrameWord): void {
  if (parent !== window) parent.postMessage(word, location.origin)
}

/** A frame does not grow by itself: the page around it is told how high it is, and whenever that changes. */
export function useToldHeight(): void {
  useEffect(() => {
    const tell = () => sayToPage({ kind: 'form-height', height: Math.ceil(document.body.scrollHeight) })
    const watcher = new ResizeObserver(tell)
    watcher.observe(document.body)
    tell()
    return () => watcher.disconnect()
  }, [])
}
