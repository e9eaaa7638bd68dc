import type { FormFrameMessage } from '@atrium/contract/forms/frame.ts'
import { useEffect } from 'react'

/** Posts to the parent page on our origin; the browser does not deliver it to any other. */
export function postToPage(message: FormFrameMessage): void {
  if (parent !== window) parent.postMessage(message, location.origin)
}

/** A frame does not grow by itself: it reports its height to the parent page, initially and on each change. */
export function useReportedHeight(): void {
  useEffect(() => {
    const report = () => postToPage({ kind: 'form-height', height: Math.ceil(document.body.scrollHeight) })
    const watcher = new ResizeObserver(report)
    watcher.observe(document.body)
    report()
    return () => watcher.disconnect()
  }, [])
}
